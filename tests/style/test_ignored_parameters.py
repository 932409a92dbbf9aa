# SPDX-License-Identifier: BSD-3-Clause
"""No function of the Python interface silently ignores an argument."""
import ast

import ignored_parameters


def test_every_parameter_is_read_or_has_a_reason():
    known = ignored_parameters.reasons()
    new, stale = ignored_parameters.compare(ignored_parameters.found(), known)
    assert not new, (
        'accepted and never read; give them their effect, raise, call _missing.no_effect, or write '
        'the reason into ignored_parameters.toml: ' + ', '.join(new))
    assert not stale, 'no longer in the code; remove from ignored_parameters.toml: ' + ', '.join(stale)
    assert list(known) == sorted(known), 'ignored_parameters.toml is not sorted'


def test_the_walk_finds_what_is_dropped():
    code = '''
def used(a, *, b=1): return a + b
def dropped(a, *, b=1, **rest): return a
def deleted(a):
    del a
def named(a):
    _ = a
def nested(a): return lambda: a
def refuses(a): raise NotImplementedError
def by_name(a): return locals()
class Thing:
    def __init__(self, x): "Docs."
    def __exit__(self, kind, value, trace): pass
    def method(self, x): pass
    quick = lambda self, flag: None
    @staticmethod
    def plain(x): return 1
if True:
    def inside(y): return 2
'''
    assert list(ignored_parameters.unread(ast.parse(code), 'm')) == [
        'm.dropped.b', 'm.dropped.rest', 'm.deleted.a', 'm.named.a', 'm.Thing.__init__.x', 'm.Thing.method.x',
        'm.Thing.quick.flag', 'm.Thing.plain.x', 'm.inside.y']
