# SPDX-License-Identifier: BSD-3-Clause
"""Downloads with checksums, progress and resumption, and extraction of archives."""
import gzip
import hashlib
import os
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile

from .._elsewhere import names_of

USER_AGENT = "corten"


def calculate_md5(fpath, chunk_size=1 << 20):
    """Returns the MD5 checksum of a file."""
    md5 = hashlib.md5(usedforsecurity=False)
    with open(fpath, "rb") as file:
        while chunk := file.read(chunk_size):
            md5.update(chunk)
    return md5.hexdigest()


def check_md5(fpath, md5, **kwargs):
    """Returns whether a file has this MD5 checksum."""
    return md5 == calculate_md5(fpath, **kwargs)


def check_integrity(fpath, md5=None):
    """Returns whether a file exists and, if `md5` is given, has this checksum."""
    return os.path.isfile(fpath) and (md5 is None or check_md5(fpath, md5))


class Progress:
    """Shows progress: a bar on a terminal, a few lines otherwise."""

    def __init__(self, name, total, start=0, stream=None):
        self.name, self.total, self.done, self.shown = name, total, start, -1
        self.stream = stream or sys.stderr
        self.terminal = getattr(self.stream, "isatty", lambda: False)()

    def add(self, n):
        """Adds n bytes."""
        self.done += n
        percent = int(100 * self.done / self.total) if self.total else 0
        if percent == self.shown or (not self.terminal and percent < self.shown + 25 and percent < 100):
            return
        self.shown = percent
        bar = "#" * (percent // 4) + "." * (25 - percent // 4)
        end = "\r" if self.terminal and percent < 100 else "\n"
        self.stream.write(f"{self.name} [{bar}] {percent:3d}% of {self.total / 1e6:.1f} MB{end}")
        self.stream.flush()


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a limited number of redirects."""

    def __init__(self, most):
        self.most = self.left = most

    def redirect_request(self, request, file, code, message, headers, url):
        if self.left == 0:
            raise RecursionError(f"Request to {request.full_url} exceeded {self.most} redirects. The last redirect points to {url}.")
        self.left -= 1
        return super().redirect_request(request, file, code, message, headers, url)


def fetch(url, path, progress=True, timeout=60, redirects=10):
    """Downloads to path + ".part", resuming an earlier attempt, and renames the file at the end."""
    part = path + ".part"
    start = os.path.getsize(part) if os.path.exists(part) else 0
    request = urllib.request.Request(url, headers={"User-Agent": USER_AGENT, **({"Range": f"bytes={start}-"} if start else {})})
    try:
        response = urllib.request.build_opener(_Redirects(redirects)).open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        if error.code != 416 or not start:
            raise
        os.remove(part)  # the partial file is longer than the file: start over
        return fetch(url, path, progress, timeout, redirects)
    with response:
        resumed = start and getattr(response, "status", None) == 206
        total = int(response.headers.get("Content-Length") or 0) + (start if resumed else 0)
        bar = Progress(os.path.basename(path), total, start if resumed else 0) if progress and total else None
        with open(part, "ab" if resumed else "wb") as file:
            while chunk := response.read(1 << 16):
                file.write(chunk)
                if bar:
                    bar.add(len(chunk))
            file.flush()
            os.fsync(file.fileno())
    os.replace(part, path)


def download_url(url, root, filename=None, md5=None, max_redirect_hops=3):
    """Downloads a file to directory `root`, unless it is there with the right checksum. Follows at most `max_redirect_hops`."""
    root = os.path.expanduser(root)
    path = os.path.join(root, os.fspath(filename or os.path.basename(url)))
    os.makedirs(root, exist_ok=True)
    if check_integrity(path, md5):
        return
    try:
        fetch(url, path, redirects=max_redirect_hops)
    except (urllib.error.URLError, OSError) as error:
        if not url.startswith("https:"):
            raise
        try:
            fetch("http:" + url[6:], path, redirects=max_redirect_hops)
        except (urllib.error.URLError, OSError):
            raise error from None
    if not check_integrity(path, md5):
        os.remove(path)
        raise RuntimeError("File not found or corrupted.")


def download_from(mirrors, root, filename, md5):
    """Downloads a file from the first mirror that has it; raises an error that lists all failures if none has."""
    errors = []
    for mirror in mirrors:
        try:
            return download_url(f"{mirror.rstrip('/')}/{filename}", root, filename, md5)
        except (urllib.error.URLError, OSError, RuntimeError) as error:
            errors.append(f"Tried {mirror}, got:\n{error}")
    raise RuntimeError("\n".join([f"Error downloading {filename}:", *errors,
                                  f"Without a network, put the file into {os.path.abspath(root)} yourself."]))


def _inside(folder, name):
    """Raises if an archive member's name leads outside the folder."""
    target = os.path.realpath(os.path.join(folder, name))
    if not target.startswith(os.path.realpath(folder) + os.sep) and target != os.path.realpath(folder):
        raise RuntimeError(f"the archive contains a path outside of the target folder: {name}")


def extract_archive(from_path, to_path=None, remove_finished=False):
    """Extracts a .tar, .tar.gz, .tgz, .zip or .gz file and returns the target path."""
    from_path = os.fspath(from_path)
    to_path = os.path.dirname(from_path) if to_path is None else os.fspath(to_path)
    if from_path.endswith(".zip"):
        with zipfile.ZipFile(from_path) as archive:
            for name in archive.namelist():
                _inside(to_path, name)
            archive.extractall(to_path)
    elif tarfile.is_tarfile(from_path):
        with tarfile.open(from_path) as archive:
            for member in archive.getmembers():
                _inside(to_path, member.name)
            archive.extractall(to_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    elif from_path.endswith(".gz"):
        target = os.path.join(to_path, os.path.basename(from_path)[:-3])
        with gzip.open(from_path) as src, open(target, "wb") as dst:
            while chunk := src.read(1 << 20):
                dst.write(chunk)
        to_path = target
    else:
        raise RuntimeError(f"Unknown compression or archive type: '{os.path.splitext(from_path)[1]}'.")
    if remove_finished:
        os.remove(from_path)
    return to_path


def download_and_extract_archive(url, download_root, extract_root=None, filename=None, md5=None, remove_finished=False):
    """Downloads an archive and extracts it."""
    download_root = os.path.expanduser(download_root)
    filename = filename or os.path.basename(url)
    download_url(url, download_root, filename, md5)
    extract_archive(os.path.join(download_root, filename), extract_root or download_root, remove_finished)


def verify_str_arg(value, arg=None, valid_values=None, custom_msg=None):
    """Checks that a str is one of the valid values, and returns it."""
    if not isinstance(value, str):
        raise ValueError(f"Expected type str for argument {arg}, but got type {type(value)}.")
    if valid_values is not None and value not in valid_values:
        raise ValueError(custom_msg or f"Unknown value '{value}' for argument {arg}. Valid values are "
                         f"{{{', '.join(map(repr, valid_values))}}}.")
    return value


__getattr__ = names_of(__name__)
