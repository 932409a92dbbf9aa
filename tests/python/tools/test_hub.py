# SPDX-License-Identifier: BSD-3-Clause
"""torch.hub: entry points in local folders and on GitHub, downloads, progress, branch validation, trust, imports of entry points."""
import collections
import io
import json
import os
import subprocess
import sys
import urllib.error
import zipfile

import pytest

import corten
from corten import hub
import hashlib


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, '_folder', str(tmp_path / 'hub'))
    return tmp_path / 'hub'


class GitHub:
    """Replaces urllib.request.urlopen; `asked` lists the requested addresses with their headers."""

    def __init__(self, main=True, branches=('main', 'dev'), refuse_token=False, ambiguous=()):
        self.main, self.branches, self.refuse_token, self.ambiguous = main, branches, refuse_token, ambiguous
        self.asked = []

    def __call__(self, request, *args, **kwargs):
        url = request if isinstance(request, str) else request.full_url
        headers = {} if isinstance(request, str) else dict(request.header_items())
        self.asked.append((url, headers))
        if '/tree/main' in url and not self.main:
            raise urllib.error.HTTPError(url, 404, 'Not Found', {}, None)
        if 'Authorization' in headers and self.refuse_token:
            raise urllib.error.HTTPError(url, 401, 'Bad credentials', {}, None)
        if '/branches?' in url and url.endswith('page=1'):
            text = json.dumps([{'name': n, 'commit': {'sha': 'abc123'}} for n in self.branches])
            return io.BytesIO(text.encode())
        return io.BytesIO(b'[]')


@pytest.fixture
def github(monkeypatch, home):
    """A fake GitHub with one repository of one file. Returns the fake."""
    fake = GitHub()

    def download(url, dst, hash_prefix=None, progress=True):
        ref = url.split('/zipball/')[1]
        fake.asked.append((url, {}))
        if ref in fake.ambiguous:
            raise urllib.error.HTTPError(url, 300, 'Multiple Choices', {}, None)
        with zipfile.ZipFile(dst, 'w') as archive:
            archive.writestr('name-0123/', '')
            archive.writestr('name-0123/helper.py', 'VALUE = 7')
            archive.writestr('name-0123/hubconf.py',
                             'def net(n=1):\n    "A net."\n    import helper\n    return n * helper.VALUE\n')
    monkeypatch.setattr('urllib.request.urlopen', fake)
    monkeypatch.setattr(hub, 'download_url_to_file', download)
    yield fake
    sys.modules.pop('helper', None)


def test_progress_bar(capsys):
    from corten.utils.model_zoo import tqdm
    assert tqdm is hub.tqdm
    with hub._Bar(total=4, unit='B', unit_scale=True) as bar:
        bar.set_description('file')
        bar.update(1)
        bar.update(3)
    assert capsys.readouterr().err == '\rfile: \r25.0%\r100.0%\n'
    with hub._Bar() as bar:
        bar.update(2)
        bar.write('line')
    assert capsys.readouterr().err == '\r2.0 bytesline\n\n'
    with hub._Bar(total=3, disable=True) as bar:
        bar.update(3)
        bar.set_description('x')
    assert capsys.readouterr().err == ''


def test_tqdm_is_the_installed_one(tmp_path):
    (tmp_path / 'tqdm.py').write_text('class tqdm: pass\n')
    program = 'import tqdm, corten.hub, corten.utils.model_zoo as z; assert z.tqdm is corten.hub.tqdm is tqdm.tqdm'
    env = {**os.environ, 'PYTHONPATH': os.pathsep.join([str(tmp_path), os.environ.get('PYTHONPATH', '')])}
    subprocess.run([sys.executable, '-c', program], check=True, env=env)


def test_entry_imports_files_beside_it(github):
    """An entry point of hubconf.py may import neighbouring files when it is called."""
    assert hub.load('owner/name:dev', 'net', n=2, trust_repo=True) == 14


def test_refs_are_validated(github, home):
    assert hub.list('owner/name:dev', trust_repo=True) == ['net']
    assert any('api.github.com/repos/owner/name/branches?per_page=100&page=1' in url for url, _ in github.asked)
    with pytest.raises(ValueError, match='Cannot find other in https://github.com/owner/name. If it\'s a commit from a forked'):
        hub.list('owner/name:other', trust_repo=True)
    assert hub.help('owner/name:other', 'net', trust_repo=True, skip_validation=True) == 'A net.'
    assert hub.list('owner/name:abc1', trust_repo=True) == ['net']  # a commit hash prefix
    assert 'owner_name' in (home / 'trusted_list').read_text().split()


def test_token(github, monkeypatch):
    monkeypatch.setenv('GITHUB_TOKEN', 'secret')
    hub.list('owner/name:dev', trust_repo=True)
    assert collections.Counter(h.get('Authorization') for u, h in github.asked if 'api.github' in u) == {'token secret': 1}
    github.refuse_token = True
    github.asked.clear()
    hub.list('owner/name:dev', trust_repo=True, force_reload=True)
    assert [h.get('Authorization') for u, h in github.asked if 'api.github' in u] == ['token secret', None]


def test_default_branch(github, home):
    github.main, github.branches = False, ('master',)
    hub.list('owner/name', trust_repo=True)
    assert (home / 'owner_name_master').is_dir()
    github.asked.clear()
    hub.list('owner/name', trust_repo=True)  # requests only the branch
    assert len(github.asked) == 1


def test_without_a_network(github, home, monkeypatch):
    hub.list('owner/name:main', trust_repo=True)

    def unreachable(*args, **kwargs):
        raise urllib.error.URLError('no network')
    monkeypatch.setattr('urllib.request.urlopen', unreachable)
    assert hub.load('owner/name', 'net') == 7
    with pytest.raises(RuntimeError, match='no internet connection and the repo could not be found in the cache'):
        hub.load('owner/another', 'net')


def test_ref_that_is_tag_and_branch(github):
    github.ambiguous = ('dev',)
    with pytest.warns(UserWarning, match='The ref dev is ambiguous'):
        assert hub.load('owner/name:dev', 'net', trust_repo=True) == 7
    assert github.asked[-1][0].endswith('/zipball/refs/heads/dev')


def test_trust(github, monkeypatch):
    answers = []
    monkeypatch.setattr('builtins.input', lambda question: answers.pop())
    answers[:] = ['n']
    with pytest.raises(Exception, match='Untrusted repository'):
        hub.load('owner/name:dev', 'net')
    answers[:] = ['perhaps']
    with pytest.raises(ValueError, match='Unrecognized response perhaps'):
        hub.load('owner/name:dev', 'net')
    answers[:] = ['y']
    assert hub.load('owner/name:dev', 'net') == 7
    assert hub.load('owner/name:dev', 'net', force_reload=True) == 7  # does not ask a second time
    assert hub.load('pytorch/name:dev', 'net') == 7  # PyTorch trusts this owner


def test_weights_only(tmp_path, home):
    """Without weights_only a file may contain any object; with it such a file is refused."""
    corten.save({'when': collections.Counter('aab'), 'net': corten.nn.Linear(2, 2)}, tmp_path / 'all.pt')
    url = (tmp_path / 'all.pt').as_uri()
    assert isinstance(hub.load_state_dict_from_url(url, progress=False)['net'], corten.nn.Linear)
    with pytest.raises(Exception, match='(?i)weights'):
        hub.load_state_dict_from_url(url, progress=False, weights_only=True)


def test_hub(tmp_path, monkeypatch):
    hub = corten.hub
    monkeypatch.setattr(hub, '_folder', str(tmp_path / 'hub'))
    (tmp_path / 'hubconf.py').write_text('dependencies = ["torch"]\ndef net(n=1):\n    "A net."\n    return n * 2\n')
    assert hub.list(str(tmp_path)) == ['net'] and hub.help(str(tmp_path), 'net') == 'A net.'
    assert hub.load(str(tmp_path), 'net', n=4, source='local') == 8
    with pytest.raises(RuntimeError, match='Cannot find callable nothing in hubconf'):
        hub.load(str(tmp_path), 'nothing', source='local')
    corten.save({'w': corten.ones(2)}, tmp_path / 'w.pt')
    digest = hashlib.sha256((tmp_path / 'w.pt').read_bytes()).hexdigest()
    url = (tmp_path / 'w.pt').as_uri()
    assert hub.load_state_dict_from_url(url, progress=False)['w'].tolist() == [1, 1]
    hub.download_url_to_file(url, str(tmp_path / 'copy.pt'), digest[:8], progress=False)
    with pytest.raises(RuntimeError, match='invalid hash value'):
        hub.download_url_to_file(url, str(tmp_path / 'copy.pt'), '00000000', progress=False)
