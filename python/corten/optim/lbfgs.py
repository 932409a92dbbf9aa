# SPDX-License-Identifier: BSD-3-Clause
"""L-BFGS: a quasi-Newton method that remembers its last few steps.

All parameters are seen as one long vector. The direction is minus the gradient times an approximate inverse Hessian, built
from pairs of steps and gradient differences (the two-loop recursion). The step length is fixed or found by a line search
that meets the strong Wolfe conditions (Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6 with cubic
interpolation).
"""
from .. import cat, enable_grad, is_complex, mul, no_grad, view_as_real
from . import optimizer as base

__all__ = ['LBFGS']

_MEMORY = ('d', 't', 'old_dirs', 'old_stps', 'ro', 'H_diag', 'prev_flat_grad', 'prev_loss')  # the order of PyTorch's keys


def _cubic_minimum(x1, f1, g1, x2, f2, g2, bounds=None):
    """Return the minimizer, within bounds, of the cubic with these values and slopes at x1 and x2."""
    low, high = bounds or ((x1, x2) if x1 <= x2 else (x2, x1))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 ** 2 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    d2 = square.sqrt()
    if x1 <= x2:
        at = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        at = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(at, low), high)


class _Point:
    """A point on the search line: its step length t, and value f, gradient g and slope there."""

    def __init__(self, t, f, g, slope):
        self.t, self.f, self.g, self.slope = t, f, g, slope

    def cubic_with(self, other, bounds=None):
        return _cubic_minimum(self.t, self.f, self.slope, other.t, other.f, other.slope, bounds)


class _LineSearch:
    """A search along `d` for a step with sufficient decrease (Armijo) and a flat enough slope (curvature)."""

    ARMIJO, CURVATURE = 1e-4, 0.9

    def __init__(self, evaluate, d, start, most, tolerance):
        self.evaluate, self.d, self.start = evaluate, d, start
        self.most, self.tolerance = most, tolerance
        self.calls = self.rounds = 0

    def at(self, t):
        f, g = self.evaluate(t)
        self.calls += 1
        return _Point(t, f, g.clone(), g.dot(self.d))

    def too_high(self, p):
        return p.f > self.start.f + self.ARMIJO * p.t * self.start.slope

    def flat(self, p):
        return abs(p.slope) <= -self.CURVATURE * self.start.slope

    def bracket(self, t):
        """Return [point] if a point meets both conditions, else [a, b] with such a point between them."""
        before, now = self.start, self.at(t)
        while self.rounds < self.most:
            if self.too_high(now) or (self.rounds > 1 and now.f >= before.f):
                return [before, now]
            if self.flat(now):
                return [now]
            if now.slope >= 0:
                return [before, now]
            t = before.cubic_with(now, (now.t + 0.01 * (now.t - before.t), now.t * 10))
            before, now = now, self.at(t)
            self.rounds += 1
        return [self.start, now]

    def trial(self, ends, stuck):
        """Return a step length between the ends, and whether it is close to one of them.

        Two trials in a row near an end would make no progress, so the second moves inward.
        """
        t = ends[0].cubic_with(ends[1])
        low, high = min(p.t for p in ends), max(p.t for p in ends)
        margin = 0.1 * (high - low)
        if min(high - t, t - low) >= margin:
            return t, False
        if not (stuck or t >= high or t <= low):
            return t, True
        return (high - margin if abs(t - high) < abs(t - low) else low + margin), False

    def zoom(self, ends):
        low, high = (0, 1) if ends[0].f <= ends[-1].f else (1, 0)
        size, done, stuck = self.d.abs().max(), len(ends) == 1, False
        while not done and self.rounds < self.most:
            if abs(ends[1].t - ends[0].t) * size < self.tolerance:
                break
            t, stuck = self.trial(ends, stuck)
            now = self.at(t)
            self.rounds += 1
            if self.too_high(now) or now.f >= ends[low].f:
                ends[high] = now
                low, high = (0, 1) if ends[0].f <= ends[1].f else (1, 0)
                continue
            done = self.flat(now)
            if not done and now.slope * (ends[high].t - ends[low].t) >= 0:
                ends[high] = ends[low]
            ends[low] = now
        return ends[low]

    def run(self, t):
        return self.zoom(self.bracket(t))


class LBFGS(base.Optimizer):
    """Limited-memory BFGS (Liu and Nocedal, 1989), for smooth deterministic losses.

    With all parameters as one vector x and gradient g, an iteration computes::

        d = -H g
        x = x + t * d

    H approximates the inverse Hessian; it is built from the last history_size pairs (change of x, change of g), and
    is the identity at first. The step length t is lr, or what the line search finds; without a search the first t is
    min(1, 1 / sum(abs(g))) * lr.

    One step() runs up to max_iter iterations and evaluates the closure at least once for each. The loss must be the
    same function each time, so use the full data set, not mini-batches.

    Args:
        params: the parameters to train, in one group (see Optimizer for the forms). Memory: about 2 * history_size times
            their size.
        lr: the step length, or the first trial of the line search. Default: 1
        max_iter: the maximum number of iterations per step(). Default: 20
        max_eval: the maximum number of closure calls per step(). Default: None, for max_iter * 5 // 4
        tolerance_grad: step() ends when no element of the gradient exceeds this in size. Default: 1e-7
        tolerance_change: step() ends when no element changes by more than this, or the loss by less. Default: 1e-9
        history_size: the number of remembered pairs. Default: 100
        line_search_fn: None for the fixed length, or 'strong_wolfe' for a line search. Default: None
        maximize: True climbs instead of descending. Default: False

        >>> w = nn.Parameter(torch.tensor([-1., 1.]))
        >>> optimizer = torch.optim.LBFGS([w], line_search_fn="strong_wolfe")
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = (1 - w[0]) ** 2 + 5 * (w[1] - w[0] ** 2) ** 2  # the minimum is at (1, 1)
        ...     loss.backward()
        ...     return loss
        >>> optimizer.step(closure).item()  # the loss at the start
        4.0
        >>> w.detach()
        tensor([1.0000, 1.0000])
    """

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7,
                 tolerance_change=1e-9, history_size=100, line_search_fn=None, *, maximize=False):
        base.check_lr(lr)
        super().__init__(params, dict(
            lr=lr, max_iter=max_iter,
            max_eval=max_iter * 5 // 4 if max_eval is None else max_eval,
            tolerance_grad=tolerance_grad, tolerance_change=tolerance_change,
            history_size=history_size, line_search_fn=line_search_fn, maximize=maximize))
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]['params']

    # ---- all parameters as one vector ----

    def _gradient(self):
        parts = []
        for p in self._params:
            part = (p.new_zeros(p.numel()) if p.grad is None else p.grad).reshape(-1)
            parts.append(view_as_real(part).reshape(-1) if is_complex(part) else part)
        flat = cat(parts)
        return flat.neg_() if self.param_groups[0].get('maximize') else flat

    def _move(self, t, d):
        at = 0
        for p in self._params:
            p = view_as_real(p) if is_complex(p) else p
            p.add_(d[at:at + p.numel()].view_as(p), alpha=t)
            at += p.numel()

    def _loss(self, closure):
        loss = float(closure())
        return -loss if self.param_groups[0].get('maximize') else loss

    # ---- steps ----

    def _direction(self, state, memory, gradient):
        """Return minus the gradient times the inverse Hessian estimated from the last steps."""
        y, s = gradient.sub(memory['prev_flat_grad']), memory['d'].mul(memory['t'])
        ys = y.dot(s)
        dirs, steps, ro = memory['old_dirs'], memory['old_stps'], memory['ro']
        if ys > 1e-10:
            if len(dirs) == self.param_groups[0]['history_size']:
                for list_ in (dirs, steps, ro):
                    list_.pop(0)
            dirs.append(y)
            steps.append(s)
            ro.append(1.0 / ys)
            memory['H_diag'] = ys / y.dot(y)
        al = state.setdefault('al', [None] * self.param_groups[0]['history_size'])
        q = gradient.neg()
        for i in reversed(range(len(dirs))):
            al[i] = steps[i].dot(q) * ro[i]
            q.add_(dirs[i], alpha=-al[i])
        r = mul(q, memory['H_diag'])
        for i in range(len(dirs)):
            r.add_(steps[i], alpha=al[i] - dirs[i].dot(r) * ro[i])
        return r

    def _search(self, closure, d, t, start, most):
        """Return the end point of a line search and the number of times it evaluated the loss."""
        here = [p.clone() for p in self._params]

        def evaluate(t):
            self._move(t, d)
            loss, gradient = self._loss(closure), self._gradient()
            for p, was in zip(self._params, here, strict=True):
                p.copy_(was)
            return loss, gradient

        search = _LineSearch(evaluate, d, start, most, 1e-9)
        return search.run(t), search.calls

    @no_grad()
    def step(self, closure):
        """Run up to max_iter iterations; return the loss before the first.

        Args:
            closure: a function that clears the gradients, computes the loss, calls backward() and returns the loss. It is
                called several times.
        """
        closure = enable_grad()(closure)
        if not self._params:
            return closure()
        group = self.param_groups[0]
        state = self.state[self._params[0]]
        state.setdefault('func_evals', 0)
        state.setdefault('n_iter', 0)
        first = closure()
        loss = -float(first) if group.get('maximize') else float(first)
        state['func_evals'] += 1
        gradient = self._gradient()
        if gradient.abs().max() <= group['tolerance_grad']:
            return first
        memory = {name: state.get(name) for name in _MEMORY}
        self._iterate(group, state, memory, closure, loss, gradient)
        state.update(memory)
        return first

    def _iterate(self, group, state, memory, closure, loss, gradient):
        """Run the iterations of one step; counters go to `state`, what the next step needs goes to `memory`."""
        evaluations, lr, small = 1, float(group['lr']), group['tolerance_change']
        for iteration in range(1, group['max_iter'] + 1):
            state['n_iter'] += 1
            if state['n_iter'] == 1:
                memory.update(d=gradient.neg(), old_dirs=[], old_stps=[], ro=[], H_diag=1)
                memory['t'] = min(1.0, 1.0 / gradient.abs().sum()) * lr
            else:
                memory['d'], memory['t'] = self._direction(state, memory, gradient), lr
            d = memory['d']
            memory['prev_flat_grad'], memory['prev_loss'] = gradient.clone(), loss
            slope = gradient.dot(d)
            if slope > -small:
                return
            calls, optimal = 0, False
            if group['line_search_fn'] is not None:
                if group['line_search_fn'] != 'strong_wolfe':
                    raise RuntimeError("only 'strong_wolfe' is supported")
                found, calls = self._search(closure, d, memory['t'], _Point(0, loss, gradient, slope),
                                            group['max_eval'] - evaluations)
                loss, gradient, memory['t'] = found.f, found.g, found.t
                self._move(memory['t'], d)
                optimal = gradient.abs().max() <= group['tolerance_grad']
            else:
                self._move(memory['t'], d)
                if iteration != group['max_iter']:  # the last iteration's loss and gradient are not used
                    loss, gradient, calls = self._loss(closure), self._gradient(), 1
                    optimal = gradient.abs().max() <= group['tolerance_grad']
            evaluations += calls
            state['func_evals'] += calls
            if (iteration == group['max_iter'] or evaluations >= group['max_eval'] or optimal
                    or d.mul(memory['t']).abs().max() <= small
                    or abs(loss - memory['prev_loss']) < small):
                return
