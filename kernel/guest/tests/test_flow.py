# SPDX-License-Identifier: GPL-2.0
"""Single calls followed through all functions of the kernel, in a guest: against what the programs are known to do."""
import collections
import contextlib
import os
import re
import time
import unittest

import flow_guest
from flow_guest import TRACING, Call

# functions.c names them: what the agent's programs call, and interrupts' ways in and out.
LEFT_OUT = {'bpf_ktime_get_ns', 'idle_cpu', 'load_new_mm_cr3', 'read_hpet', 'switch_mm_irqs_off'}
# The tracer of functions follows context switches itself.
LEFT_OUT |= {'__traceiter_sched_switch'}
MS = 1_000_000
# ./test --long sets it.
LONG = 'KVIEW_FLOW_TURNS' in os.environ


def without_below(graph, function):
    below = None
    for depth, name in graph:
        if below is None or depth <= below:
            below = depth if name == function else None
            yield depth, name


class FlowTest(flow_guest.FlowGuestTest):
    KERNEL = os.environ.get('KVIEW_FLOW_KERNEL', '6.12')

    def flow(self, pid, system_call='read', agent=None, **options):
        agent, is_own = agent or self.guest.agent(), agent is None
        try:
            return agent.request('flow', pid=pid, system_call=system_call, **options)
        finally:
            if is_own:
                agent.close()

    def begin(self, agent, program, system_call='read', **options):
        """The calls that end after this returns are in it."""
        flow = agent.send('flow', pid=program.pid, system_call=system_call, duration_ms=600_000, **options)
        self.guest.until_stat_has('processes 1')
        # It is served when the flow has begun.
        agent.request('list_processes')
        return flow

    def end(self, agent, flow):
        agent.request('end_flow')
        return agent.answer(flow)

    def flow_of_reads(self, program, nr, agent=None, by_all=False, **options):
        """Until so many have ended, however long the machine takes for them."""
        with contextlib.nullcontext(agent) if agent else self.guest.agent() as agent:
            flow = self.begin(agent, program, **options)
            program.until_reads(nr, by_all)
            return self.end(agent, flow)

    def flow_of_some(self, program, system_call):
        """Longer where the machine lets the program come to none."""
        for ms in 1000, 20_000, 400_000:
            reply = self.flow(program.pid, system_call=system_call, duration_ms=ms)
            if reply['calls_seen']:
                return reply
        self.fail(f'there was no {system_call}')

    def calls(self, reply):
        calls = [Call(reply, call) for call in reply['calls']]
        for call in calls:
            self.assertEqual([], call.wrong)
            self.assertEqual((0, reply['root']), call.entered[0])
            told = call.call
            self.assertEqual(0, told['unseen_switches'])
            self.assertTrue(reply['begin_ns'] <= told['begin_ns'] <= reply['end_ns'])
            if not told['cut_steps']:
                self.assertEqual([], call.left_open)
                self.assertEqual(told['wall_ns'], call.at_ns)
                self.assertEqual(told['wall_ns'] - told['on_cpu_ns'], call.waited_ns())
        walls = [call.call['wall_ns'] for call in calls]
        self.assertEqual(sorted(walls, reverse=True), walls)
        return calls

    def nothing_is_lost(self, reply):
        self.assertEqual({0}, {reply['losses'][name] for name in ('calls', 'nested_functions', 'nested_switches', 'missed_returns')})
        self.assertEqual([], reply['notes'])

    def test_a_wait_stands_where_it_was_and_as_long_as_it_was(self):
        with self.guest.program('pipe 50 100000') as program:
            reply = self.flow_of_reads(program, 12, slowest=5)
        self.waits_of_50_ms(reply)
        self.slowest_of_more(reply)
        self.assertTrue(reply['hooked'] > 30_000, reply['hooked'])
        self.assertTrue(0 < reply['not_hooked'] < 1000, reply['not_hooked'])
        self.assertTrue(20 << 20 < reply['memory_bytes'] < 128 << 20, reply['memory_bytes'])
        print('attach %.0f ms, detach %.0f ms' % (reply['attach_ns'] / MS, reply['detach_ns'] / MS))

    def test_a_wait_is_whole_where_the_kernel_calls_functions_between_two_threads(self):
        with self.guest.program('untimed 50 100000') as program:
            reply = self.flow_of_reads(program, 12, slowest=5)
        self.waits_of_50_ms(reply)

    def slowest_of_more(self, reply):
        """The calls that are kept are others each, and no longer than all that were seen."""
        calls = self.calls(reply)
        self.assertTrue(reply['calls_seen'] > len(calls), reply['calls_seen'])
        self.assertTrue(sum(call.call['wall_ns'] for call in calls) <= reply['wall_ns'])
        self.assertEqual(len(calls), len({call.call['begin_ns'] for call in calls}))

    def waits_of_50_ms(self, reply):
        """How long a thread is preempted is up to the machine; a byte is written 50 ms after its reader went to sleep, however late that was."""
        self.nothing_is_lost(reply)
        calls = self.calls(reply)
        self.assertEqual(5, len(calls))
        self.assertEqual('__x64_sys_read', reply['root'])
        for call in calls:
            self.assertEqual(1, call.call['result'])
            self.assertIn('pipe_read', call.names())
            waits = [wait for wait in call.waits if wait[1] != 'PREEMPTED']
            self.assertEqual([('schedule', 'NETWORK')], [wait[:2] for wait in waits], call.waits)
            (_, _, waited, queued), = waits
            # What the reader waits for a CPU is told apart, and is by another clock.
            self.assertTrue(45 * MS <= waited - queued, call.waits)

    def test_no_function_is_lost_whatever_the_clock_is_read_from(self):
        sources = '/sys/devices/system/clocksource/clocksource0/'
        usual, *others = self.guest.shell(f'cat {sources}current_clocksource {sources}available_clocksource').split()
        self.assertTrue(others)
        for source in others:
            self.guest.shell(f'echo {source} >{sources}current_clocksource')
            try:
                with self.subTest(source), self.guest.program('pipe 50 100000') as program:
                    self.nothing_is_lost(self.flow(program.pid, duration_ms=1000))
            finally:
                self.guest.shell(f'echo {usual} >{sources}current_clocksource')

    def test_a_system_call_without_arguments(self):
        with self.guest.program('yields') as program:
            reply = self.flow_of_some(program, 'sched_yield')
        self.assertEqual('__x64_sys_sched_yield', reply['root'])
        self.assertTrue(self.calls(reply))
        self.assertEqual(0, reply['losses']['calls'])

    def test_what_is_done_in_softirqs_is_counted(self):
        self.guest.shell('/guest/applets/ip link set lo up')
        with self.guest.program('sends') as program:
            reply = self.flow_of_some(program, 'sendto')
        names = {name for call in self.calls(reply) for name in call.names()}
        self.assertIn('udp_sendmsg', names)
        # The receiver's side is in a softirq that the sender comes to.
        self.assertNotIn('udp_rcv', names)
        self.assertTrue(reply['losses']['interrupt_functions'] > reply['calls_seen'], reply['losses'])

    def test_a_call_that_was_under_way_is_not_among_them_and_is_counted(self):
        with self.guest.program('exits') as program, self.guest.agent() as agent:
            program.until_it_reads_input()
            flow = self.begin(agent, program)
            program.tell(3)
            reply = self.end(agent, flow)
        self.assertEqual((1, 2, 1), (reply['losses']['calls_under_way'], reply['calls_seen'], reply['losses']['unended_calls']))
        self.assertEqual(2, len(self.calls(reply)))

    def test_what_the_c_library_calls_instead_is_named_and_others_that_trace_the_process(self):
        with self.guest.program('pipe 50 100000') as program:
            self.guest.shell(f'/guest/bin/kviewctl create other -f vfs_read && /guest/bin/kviewctl attach other -p {program.pid}')
            try:
                reply = self.flow(program.pid, system_call='nanosleep', duration_ms=1000)
            finally:
                self.guest.shell('/guest/bin/kviewctl remove other')
        self.assertEqual((0, 0), (reply['calls_seen'], reply['losses']['calls_under_way']))
        self.assertIn('clock_nanosleep', ' '.join(reply['notes']))
        self.assertTrue(any('as well' in note for note in reply['notes']), reply['notes'])

    if LONG:
        def test_the_slowest_of_all_calls_are_kept(self):
            """As in a flow of few, of many."""
            with self.guest.program('pipe 5 100000000') as program:
                reply = self.flow_of_reads(program, 100, slowest=50)
            self.assertEqual(50, len(self.calls(reply)))
            self.slowest_of_more(reply)

        def test_what_short_calls_cost(self):
            """Prints it: how many reads of a byte the program makes in a second of its CPU time, without and with."""
            def made():
                stat = self.guest.shell(f'cat /proc/{program.pid}/stat').rsplit(')', 1)[1].split()
                return int(self.guest.shell(f'/guest/applets/grep syscr /proc/{program.pid}/io').split()[1]), int(stat[11]) + int(stat[12])

            def per_second():
                reads, ticks = made()
                time.sleep(3)
                reads_then, ticks_then = made()
                return 100 * (reads_then - reads) / max(1, ticks_then - ticks)

            with self.guest.program('zero 1') as program, self.guest.agent() as agent:
                without = per_second()
                flow = agent.send('flow', pid=program.pid, system_call='read', duration_ms=600_000)
                self.guest.until_stat_has('processes 1')
                with_it = per_second()
                agent.request('end_flow')
                self.assertTrue(agent.answer(flow)['calls_seen'] > 0)
            print('%.0f reads a second of CPU time, %.0f while followed' % (without, with_it))

        def test_it_comes_and_goes_under_load(self):
            with self.guest.program('threads 16') as program, self.guest.program('pipe 1 100000000') as other, self.guest.agent() as agent:
                for turn in range(int(os.environ['KVIEW_FLOW_TURNS'])):
                    reply = self.flow(program.pid if turn % 2 else other.pid, agent=agent, duration_ms=100, slowest=100)
                    self.calls(reply)
                self.assertTrue(program.is_alive() and other.is_alive())

    def graphs(self, programs, function):
        """What the kernel's own tracer shows of each process in turn; to switch it on takes an emulated kernel longer than to trace."""
        texts = self.guest.shell(f"""cd {TRACING} && echo nop >current_tracer && echo 0 >tracing_on
            echo {function} >set_graph_function && echo function_graph >current_tracer && echo nofuncgraph-irqs >trace_options
            for pid in {' '.join(str(program.pid) for program in programs)}; do
                has_read() {{ /guest/applets/sed -n "s/^syscr: //p" /proc/$pid/task/$pid/io; }}
                echo $pid >set_ftrace_pid; echo >trace; until=$(($(has_read) + 50)); kill -CONT $pid; echo 1 >tracing_on
                while [ $(has_read) -lt $until ]; do sleep 0.1; done; echo 0 >tracing_on; kill -STOP $pid
                /guest/applets/head -4000 trace; echo NEXT
            done; echo nop >current_tracer; echo >set_ftrace_pid; echo >set_graph_function; echo 1 >tracing_on""").split('NEXT')
        return [self.graphs_of(text, function) for text in texts[:-1]]

    def graphs_of(self, text, function):
        """The functions of single calls in their order, with their depths."""
        graphs, calls = [], None
        for line in text.splitlines():
            found = re.search(r'\|( +)([\w.]+)\(.*?\)(;| \{)', line)
            if not found:
                continue
            depth, name = (len(found[1]) - 2) // 2, found[2]
            if name == function:
                calls = []
                graphs.append(calls)
            if calls is not None and name not in LEFT_OUT:
                calls.append((depth, name))
        return graphs

    def test_a_call_goes_through_the_functions_that_the_kernels_own_tracer_shows(self):
        """One agent follows both."""
        with self.guest.program('zero 1') as short, self.guest.program('pipe 1 100000000') as waiting, self.guest.agent() as agent:
            replies = []
            for program in short, waiting:
                replies.append(self.flow_of_reads(program, 50, agent, slowest=100))
                self.guest.shell(f'kill -STOP {program.pid}')
            short_graphs, graphs = self.graphs([short, waiting], '__x64_sys_read')
        usual = lambda found: collections.Counter(map(tuple, found)).most_common(1)[0][0]
        # Where there were more calls than are kept, the slowest are those that lost their CPU.
        self.assertEqual(usual(short_graphs[1:-1]), usual(call.entered for call in self.calls(replies[0]) if not call.waits))
        # What the scheduler calls to put a thread aside and to choose another one depends on who else is there.
        graphs = [list(without_below(graph, 'schedule')) for graph in graphs[1:-1]]
        shown = {name for graph in graphs for _, name in graph}
        told = {name for call in self.calls(replies[1]) for name in call.names()}
        # The switch itself is not told, in which the thread has no CPU any more.
        self.assertTrue({'pipe_read', 'schedule', 'finish_wait'} <= told, told)
        missing = {name for name in shown - told if sum(name in dict(map(reversed, g)) for g in graphs) > len(graphs) / 2}
        self.assertEqual(set(), missing)

    def test_a_call_that_is_too_long_to_be_told_whole_says_so_and_its_times_are_right(self):
        with self.guest.program('faults 4096') as program:
            reply = self.flow_of_reads(program, 3, slowest=2)
        calls = self.calls(reply)
        self.assertTrue(calls)
        for call in calls:
            self.assertTrue(call.call['cut_steps'] > 0)
            self.assertTrue(len(call.call['steps']) >= 8192)
            self.assertTrue(call.at_ns < call.call['wall_ns'])
            self.assertTrue(0 < call.call['on_cpu_ns'] <= call.call['wall_ns'])
            self.assertEqual(call.left_open[:1], [reply['root']])
        self.assertEqual(0, reply['losses']['missed_returns'])

    def test_threads_come_and_go(self):
        with self.guest.program('threads 16') as program, self.guest.agent() as agent:
            reply = self.flow_of_reads(program, 100, agent, by_all=True, slowest=40)
            self.assertTrue(program.is_alive())
        self.assertEqual(40, len(self.calls(reply)))
        self.assertEqual(0, reply['losses']['calls'])
        self.assertTrue(reply['calls_seen'] > 40)
        self.assertTrue(len({call['tid'] for call in reply['calls']}) > 1)

    def test_more_calls_under_way_than_there_is_memory_for_are_counted(self):
        with self.guest.program('waiters 500') as program, self.guest.agent() as agent:
            flow = self.begin(agent, program)
            program.process.stdin.write('.')
            program.process.stdin.flush()
            self.guest.until(f'[ $(grep -l pipe_read /proc/{program.pid}/task/*/stack | wc -l) = 500 ]')
            reply = self.end(agent, flow)
        self.assertIn('before its time', reply['note'])
        self.assertEqual(([], 0), (reply['calls'], reply['calls_seen']))
        losses = reply['losses']
        self.assertTrue(losses['calls'] > 0, losses)
        self.assertEqual(500, losses['calls'] + losses['unended_calls'])

    def test_after_an_execve_it_goes_on(self):
        with self.guest.program('execs 100000') as program:
            reply = self.flow_of_reads(program, 500)
        self.calls(reply)
        self.assertTrue(reply['calls_seen'] > 300)
        self.assertEqual(0, reply['losses']['calls'])

    def test_calls_that_have_no_end_are_counted(self):
        with self.guest.program('execs 100000') as program:
            reply = self.flow_of_reads(program, 500, system_call='execve')
        self.assertEqual(([], 0), (reply['calls'], reply['calls_seen']))
        self.assertTrue(reply['losses']['unended_calls'] > 3)

    def test_the_process_ends_meanwhile(self):
        with self.guest.program('exits') as program, self.guest.agent() as agent:
            flow = self.begin(agent, program, 'exit_group')
            program.process.stdin.close()
            reply = agent.answer(flow)
        self.assertIn('The process ended', reply['note'])
        self.assertEqual((0, 1), (reply['calls_seen'], reply['losses']['unended_calls']))

    def test_nothing_is_left_of_an_agent_that_is_killed(self):
        with self.guest.program('pipe 5 100000000') as program, self.guest.agent() as agent:
            self.begin(agent, program)
            self.guest.shell(f'kill -9 {agent.guest_pid}')
            self.guest.until_stat_has('views 0')
            self.assertTrue(program.is_alive())


if __name__ == '__main__':
    unittest.main()
