"""Object-oriented Python for Jython: a scheduler, queens, symbolic differentiation, JSON."""
import json


class Packet(object):
    def __init__(self, ident, kind):
        self.ident = ident
        self.kind = kind
        self.datum = 0
        self.data = [0] * 4


class Task(object):
    def __init__(self, ident):
        self.ident = ident
        self.queue = []
        self.count = 0

    def step(self, world):
        raise NotImplementedError


class Idle(Task):
    def step(self, world):
        self.count += 1
        world.seed = (world.seed >> 1) ^ (0xD008 if world.seed & 1 else 0)
        world.send(1 + world.seed % (len(world.tasks) - 1), Packet(self.ident, world.seed & 1))


class Worker(Task):
    def step(self, world):
        if not self.queue:
            return
        packet = self.queue.pop(0)
        self.count += 1
        for i in range(4):
            packet.data[i] = (packet.datum + i * 7) % 26
        if packet.kind:
            world.send(2 + (self.ident + 1) % (len(world.tasks) - 2), Packet(self.ident, 0))


class Device(Worker):
    def step(self, world):
        if self.queue:
            self.count += self.queue.pop().ident


class World(object):
    def __init__(self):
        self.seed = 1
        self.tasks = [Idle(0)] + [Worker(i) if i % 2 else Device(i) for i in range(1, 8)]

    def send(self, ident, packet):
        self.tasks[ident].queue.append(packet)

    def run(self, steps):
        for _ in xrange(steps):
            for task in self.tasks:
                task.step(self)
        return [task.count for task in self.tasks]


def queens(n, row=0, columns=0, rising=0, falling=0):
    if row == n:
        return 1
    return sum(
        queens(n, row + 1, columns | 1 << c, rising | 1 << (row + c), falling | 1 << (row - c + n))
        for c in range(n)
        if not (columns >> c & 1 or rising >> (row + c) & 1 or falling >> (row - c + n) & 1))


class Expr(object):
    def __init__(self, op, *operands):
        self.op = op
        self.operands = operands

    def diff(self):
        if self.op == 'x':
            return Expr('c', 1)
        if self.op == 'c':
            return Expr('c', 0)
        left, right = self.operands
        if self.op == '+':
            return Expr('+', left.diff(), right.diff())
        return Expr('+', Expr('*', left.diff(), right), Expr('*', left, right.diff()))

    def __str__(self):
        if self.op == 'x':
            return 'x'
        if self.op == 'c':
            return str(self.operands[0])
        return '(%s %s %s)' % (self.operands[0], self.op, self.operands[1])


def third_derivative():
    expr = Expr('x')
    for i in range(5):
        expr = Expr('*', Expr('+', expr, Expr('c', i)), Expr('x'))
    return str(expr.diff().diff().diff())


def word_counts(text):
    counts = {}
    for word in text.replace('(', ' ').replace(')', ' ').split():
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items())


def json_round_trip():
    objects = [
        dict(a=i, b=[i * 2, str(i)], c=dict(k=None, z=i * 0.5)) for i in range(700)]
    return json.dumps(json.loads(json.dumps(objects, sort_keys=True)), sort_keys=True)


def bench():
    derivative = third_derivative()
    return repr([
        World().run(9000),
        queens(6),
        len(derivative),
        word_counts(derivative),
        len(json_round_trip()),
    ])


result = bench()
