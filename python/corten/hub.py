# SPDX-License-Identifier: BSD-3-Clause
"""torch.hub: models from repositories with a `hubconf.py`, and downloads of weights."""
import contextlib
import hashlib
import importlib.util
import itertools
import json
import os
import re
import shutil
import sys
import tempfile
import urllib.error
import urllib.request
import warnings
import zipfile
from urllib.parse import urlparse

from .vision.datasets.utils import fetch

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]
HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
_TRUSTED_OWNERS = ("facebookresearch", "facebookincubator", "pytorch", "fairinternal")
_folder = None


class _Bar:
    """A progress counter on stderr, with the part of tqdm's interface that download functions use."""

    def __init__(self, total=None, disable=False, unit=None, *args, **kwargs):
        self.total, self.disable, self.n = total, disable, 0
        self.unit = unit or "bytes"

    def update(self, n):
        """Adds n; shows percent of the total, or a count of units."""
        if not self.disable:
            self.n += n
            sys.stderr.write(f"\r{self.n:.1f} {self.unit}" if self.total is None else f"\r{100 * self.n / float(self.total):.1f}%")
            sys.stderr.flush()

    def set_description(self, desc=None, refresh=True):
        """Sets the text before the counter."""
        if not self.disable and desc:
            sys.stderr.write(f"\r{desc}: ")
            if refresh:
                sys.stderr.flush()

    def write(self, s):
        """Writes a line."""
        sys.stderr.write(f"{s}\n")

    def close(self):
        """Stops showing progress."""
        self.disable = True

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        if not self.disable:
            sys.stderr.write("\n")


try:
    from tqdm import tqdm
except ImportError:
    tqdm = _Bar


def get_dir():
    """Returns the download directory: `hub` in TORCH_HOME, by default ~/.cache/torch/hub."""
    if _folder is not None:
        return _folder
    return os.path.join(_get_torch_home(), "hub")


def _get_torch_home():
    """Returns TORCH_HOME, or `torch` in the user's cache directory."""
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(os.getenv("XDG_CACHE_HOME", "~/.cache"), "torch")))


def set_dir(d):
    """Sets the download directory."""
    global _folder
    _folder = os.path.expanduser(d)


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """Downloads a URL to the file `dst`; if hash_prefix is given, the SHA-256 checksum must start with it."""
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
    """Loads a file written by torch.save from a URL, and caches it in `model_dir` (default: get_dir()/checkpoints).

    Unpickling can run arbitrary code: weights_only=True accepts only tensors and plain containers.
    """
    model_dir = model_dir or os.path.join(get_dir(), "checkpoints")
    os.makedirs(model_dir, exist_ok=True)
    name = file_name or os.path.basename(urlparse(url).path)
    path = os.path.join(model_dir, name)
    if not os.path.exists(path):
        sys.stderr.write(f'Downloading: "{url}" to {path}\n')
        found = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, path, found.group(1) if found else None, progress)
    from .serialization import load as load_file
    return load_file(path, map_location=map_location, weights_only=weights_only)


def _branch(owner, name):
    """Returns the default branch: main if it exists, otherwise master; offline, the one downloaded before."""
    try:
        with urllib.request.urlopen(f"https://github.com/{owner}/{name}/tree/main/"):
            return "main"
    except urllib.error.HTTPError as error:
        if error.code != 404:
            raise
        return "master"
    except urllib.error.URLError as error:
        for branch in ("main", "master"):
            if os.path.exists(os.path.join(get_dir(), f"{owner}_{name}_{branch}")):
                return branch
        raise RuntimeError("It looks like there is no internet connection and the repo could not be found in the cache "
                           f"({get_dir()})") from error


def _read_json(url):
    """Queries GitHub's API; a token in GITHUB_TOKEN raises the rate limit."""
    headers = {"Accept": "application/vnd.github.v3+json"}
    token = os.environ.get("GITHUB_TOKEN")
    try:
        more = {} if token is None else {"Authorization": f"token {token}"}
        with urllib.request.urlopen(urllib.request.Request(url, headers={**headers, **more})) as answer:
            return json.load(answer)
    except urllib.error.HTTPError:
        if token is None:
            raise
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:  # retry without the token, which may be invalid
            return json.load(answer)


def _validate(owner, name, ref):
    """Checks that `ref` is a branch or tag of the repository: GitHub also serves commits of forks under the original's URL."""
    for kind in ("branches", "tags"):
        for page in itertools.count(1):
            found = _read_json(f"https://api.github.com/repos/{owner}/{name}/{kind}?per_page=100&page={page}")
            if any(item["name"] == ref or item["commit"]["sha"].startswith(ref) for item in found):
                return
            if not found:
                break
    raise ValueError(f"Cannot find {ref} in https://github.com/{owner}/{name}. If it's a commit from a forked repo, please call "
                     "hub.load() with forked repo directly.")


def _repository(github, force_reload, trust_repo, verbose, skip_validation):
    """Returns the directory of owner/name[:branch], downloaded from GitHub unless cached."""
    repo, _, ref = github.partition(":")
    owner, name = repo.split("/")
    ref = ref or _branch(owner, name)
    target = os.path.join(get_dir(), "_".join([owner, name, ref.replace("/", "_")]))
    os.makedirs(get_dir(), exist_ok=True)
    _trust(owner, f"{owner}_{name}", os.path.exists(target), trust_repo)
    if os.path.exists(target) and not force_reload:
        if verbose:
            sys.stderr.write(f"Using cache found in {target}\n")
        return target
    if not skip_validation:
        _validate(owner, name, ref)
    archive = os.path.join(get_dir(), f"{ref.replace('/', '_')}.zip")
    url = f"https://github.com/{owner}/{name}/zipball/"
    sys.stdout.write(f'Downloading: "{url}{ref}" to {archive}\n')
    try:
        download_url_to_file(url + ref, archive, progress=False)
    except urllib.error.HTTPError as error:
        if error.code != 300:  # "multiple choices": the ref is both a tag and a branch
            raise
        warnings.warn(f"The ref {ref} is ambiguous. Perhaps it is both a tag and a branch in the repo? Torchhub will now assume "
                      "that it's a branch. You can disambiguate tags and branches by explicitly passing refs/heads/branch_name "
                      "or refs/tags/tag_name as the ref. That might require using skip_validation=True.", stacklevel=4)
        download_url_to_file(f"{url}refs/heads/{ref}", archive, progress=False)
    with zipfile.ZipFile(archive) as zipped:
        first = zipped.infolist()[0].filename
        zipped.extractall(get_dir())
    os.remove(archive)
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(os.path.join(get_dir(), first), target)
    return target


def _trust(owner, name, downloaded, trust_repo):
    """Asks for consent before code of a new repository runs, and remembers the answer."""
    path = os.path.join(get_dir(), "trusted_list")
    known = []
    if os.path.exists(path):
        with open(path) as file:
            known = file.read().split()
    trusted = name in known or downloaded or owner in _TRUSTED_OWNERS
    if trust_repo is False or (trust_repo == "check" and not trusted):
        answer = input(f"The repository {name} does not belong to the list of trusted repositories and as such cannot be downloaded."
                       " Do you trust this repository and wish to add it to the trusted list of repositories (y/N)?").lower()
        if answer in ("n", "no", ""):
            raise Exception("Untrusted repository.")
        if answer not in ("y", "yes"):
            raise ValueError(f"Unrecognized response {answer}.")
        if trusted:
            print("The repository is already trusted.")
    if not trusted:
        with open(path, "a") as file:
            file.write(name + "\n")


@contextlib.contextmanager
def _hubconf(folder):
    """Imports hubconf from a directory; inside the block, its other modules can be imported too."""
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("hubconf.py", os.path.join(folder, "hubconf.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(folder)


def _entry(module, name):
    if not isinstance(name, str):
        raise ValueError("Invalid input: model should be a string of function name")
    missing = [m for m in getattr(module, "dependencies", None) or [] if m != "torch" and importlib.util.find_spec(m) is None]
    if missing:
        raise RuntimeError(f"Missing dependencies: {', '.join(missing)}")
    function = getattr(module, name, None)
    if not callable(function):
        raise RuntimeError(f"Cannot find callable {name} in hubconf")
    return function


def list(github, force_reload=False, skip_validation=False, trust_repo="check", verbose=True):
    """Lists the models of a repository (or directory).

    `github` is "owner/name" or "owner/name:branch". Unless skip_validation is True, GitHub is asked whether the ref belongs to the
    repository rather than to a fork.
    """
    folder = github if os.path.isdir(github) else _repository(github, force_reload, trust_repo, verbose, skip_validation)
    with _hubconf(folder) as module:
        return [name for name in dir(module) if callable(getattr(module, name)) and not name.startswith("_")]


def help(github, model, force_reload=False, skip_validation=False, trust_repo="check"):
    """Returns the docstring of a model's entry point. The other options are those of `list`."""
    folder = github if os.path.isdir(github) else _repository(github, force_reload, trust_repo, True, skip_validation)
    with _hubconf(folder) as module:
        return _entry(module, model).__doc__


def load(repo_or_dir, model, *args, source="github", trust_repo="check", force_reload=False, verbose=True,
         skip_validation=False, **kwargs):
    """Returns the result of the function `model` in the hubconf.py of a repository (with source="local", of a directory).

    Further arguments go to that function. The other options are those of `list`.
    """
    source = source.lower()
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "github":
        repo_or_dir = _repository(repo_or_dir, force_reload, trust_repo, verbose, skip_validation)
    with _hubconf(repo_or_dir) as module:
        return _entry(module, model)(*args, **kwargs)
