# SPDX-License-Identifier: BSD-3-Clause
"""Networks from folders and repositories that have a `hubconf.py`, and files of weights from the web."""
import builtins
import hashlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import warnings
import zipfile
from urllib.parse import urlparse

from .vision.datasets.utils import fetch

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_folder = None


def get_dir():
    """The folder that downloads are kept in: TORCH_HOME or ~/.cache/torch, and `hub` in it."""
    if _folder is not None:
        return _folder
    return os.path.join(_get_torch_home(), "hub")


def _get_torch_home():
    """TORCH_HOME, or the folder `torch` among the caches of this user."""
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "torch")))


def set_dir(d):
    """Sets it."""
    global _folder
    _folder = os.path.expanduser(d)


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """A file from the web; the first digits of its SHA-256 sum are tested if they are given."""
    part = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(dst)))
    try:
        path = os.path.join(part, os.path.basename(dst))
        fetch(url, path, progress)
        if hash_prefix is not None:
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            if digest[:len(hash_prefix)] != hash_prefix:
                raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{digest}")')
        os.replace(path, dst)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None,
                             weights_only=False):
    """Weights from the web, kept in the folder; their pickle is read without running code whatever is asked for."""
    model_dir = model_dir or os.path.join(get_dir(), "checkpoints")
    os.makedirs(model_dir, exist_ok=True)
    name = file_name or os.path.basename(urlparse(url).path)
    path = os.path.join(model_dir, name)
    if not os.path.exists(path):
        sys.stderr.write(f'Downloading: "{url}" to {path}\n')
        found = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, path, found.group(1) if found else None, progress)
    from .serialization import load as load_file
    return load_file(path, map_location=map_location, weights_only=True)


def _repository(github, force_reload, verbose):
    """The folder of owner/name[:branch], downloaded from GitHub unless it is there."""
    repo, _, ref = github.partition(":")
    if repo.count("/") != 1:
        raise ValueError(f"'{github}' is no owner/name[:branch]")
    owner, name = repo.split("/")
    ref = ref or "main"
    target = os.path.join(get_dir(), "_".join([owner, name, ref.replace("/", "_")]))
    if os.path.exists(target) and not force_reload:
        if verbose:
            sys.stderr.write(f"Using cache found in {target}\n")
        return target
    os.makedirs(get_dir(), exist_ok=True)
    archive = os.path.join(get_dir(), f"{ref.replace('/', '_')}.zip")
    download_url_to_file(f"https://github.com/{owner}/{name}/zipball/{ref}", archive, progress=False)
    with zipfile.ZipFile(archive) as zipped:
        first = zipped.infolist()[0].filename
        zipped.extractall(get_dir())
    os.remove(archive)
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(os.path.join(get_dir(), first), target)
    return target


def _trusted(repo, trust_repo):
    """Whoever loads a repository runs its code: asks once, and remembers."""
    path = os.path.join(get_dir(), "trusted_list")
    known = open(path).read().split() if os.path.exists(path) else []
    name = repo.split(":")[0].replace("/", "_")
    if trust_repo is True or name in known:
        return
    if trust_repo is None:
        warnings.warn(f"You are about to download and run code from an untrusted repository ({repo}).", stacklevel=3)
        return
    answer = input(f"The repository {repo} does not belong to the list of trusted repositories and as such cannot be downloaded. "
                   "Do you trust this repository and wish to add it to the trusted list of repositories (y/N)?")
    if answer.lower() not in ("y", "yes"):
        raise Exception("Untrusted repository.")
    os.makedirs(get_dir(), exist_ok=True)
    with open(path, "a") as file:
        file.write(name + "\n")


def _hubconf(folder):
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("hubconf", os.path.join(folder, "hubconf.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    missing = [name for name in getattr(module, "dependencies", []) if name != "torch" and importlib.util.find_spec(name) is None]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")
    return module


def _open(repo_or_dir, source, trust_repo, force_reload, verbose):
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "local":
        return _hubconf(repo_or_dir)
    _trusted(repo_or_dir, trust_repo)
    return _hubconf(_repository(repo_or_dir, force_reload, verbose))


def _entry(module, name):
    function = getattr(module, name, None)
    if not callable(function):
        raise RuntimeError(f"Cannot find callable {name} in hubconf")
    return function


def list(github, force_reload=False, skip_validation=False, trust_repo="check", verbose=True):
    """The networks that a repository offers."""
    source = "local" if os.path.isdir(github) else "github"
    module = _open(github, source, trust_repo, force_reload, verbose)
    return [name for name in dir(module) if callable(getattr(module, name)) and not name.startswith("_")]


def help(github, model, force_reload=False, skip_validation=False, trust_repo="check"):
    """What a repository says of a network."""
    source = "local" if os.path.isdir(github) else "github"
    return _entry(_open(github, source, trust_repo, force_reload, True), model).__doc__


def load(repo_or_dir, model, *args, source="github", trust_repo="check", force_reload=False, verbose=True,
         skip_validation=False, **kwargs):
    """A network of a repository (or, with source="local", of a folder)."""
    return _entry(_open(repo_or_dir, source, trust_repo, force_reload, verbose), model)(*args, **kwargs)


_builtin_list = builtins.list
