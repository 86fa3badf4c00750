# SPDX-License-Identifier: GPL-2.0
"""Kernel views that a client makes through the agent, and what it is told of everybody's, in a guest."""
import os
import re
import subprocess
import tempfile
import time
import unittest

import flow_guest
from flow_guest import PATIENCE_S, TRACING
from agent import AgentError, wait_until  # noqa: E402: flow_guest has told where it is
from traces import write_trace  # noqa: E402

MOST_FUNCTIONS = 40_000
FORKS_MOST = 20


class ViewsTest(flow_guest.FlowGuestTest):
    KERNEL = os.environ.get('KVIEW_VIEWS_KERNEL', '6.12')

    def refused(self, code, words, call):
        with self.assertRaises(AgentError) as caught:
            call()
        self.assertIn(code, str(caught.exception))
        self.assertIn(words, str(caught.exception))

    def sites(self, agent, set_id):
        """Hits by name, of those that have any."""
        reply = agent.request('list_sites', set_id=set_id, names=True)
        self.assertEqual('', reply['names_note'])
        self.assertEqual(reply['sites'], len(reply['names']))
        # Others have figures where an interrupt of the program came to them, which is rejected.
        return {reply['names'][f['site']]: f['hits'] for f in reply['figures'] if f['hits']}

    def view(self, agent, number):
        return next(v for v in agent.request('list_views')['views'] if v['id'] == number)

    def test_a_view_of_the_clients_own(self):
        with self.guest.program('exits') as program, self.guest.agent() as agent:
            change = lambda **what: agent.request('change_view', view_id=view, **what)
            view = agent.request('change_view', make='reads of the shop')['id']
            entries = change(add_sites=dict(kind='SITE_ENTRY', names=['ksys_read', 'no_such_function', 'vfs_read']))
            self.assertEqual('1 of 3 are left out: no_such_function (there is none of that name).', entries['note'])
            returns = change(add_sites=dict(kind='SITE_RETURN', names=['vfs_read']))
            events = change(add_sites=dict(kind='SITE_EVENT', names=['syscalls:sys_enter_read', 'syscalls:sys_enter_write']))
            points = change(add_sites=dict(kind='SITE_TRACEPOINT', names=['sys_enter']))
            self.refused('NOT_PROBEABLE', 'no_such_function', lambda: change(add_sites=dict(kind='SITE_ENTRY', names=['no_such_function'])))
            program.until_it_reads_input()
            begin = time.monotonic_ns()
            member = change(attach_process=dict(pid=program.pid, forks=True, execs=True))['id']
            took_ns = time.monotonic_ns() - begin
            self.refused('UNSUPPORTED', 'already', lambda: change(attach_process=dict(pid=program.pid)))
            program.tell(5)
            counted = {'ksys_read': 5, 'vfs_read': 5}
            self.assertEqual(counted, self.sites(agent, entries['id']))
            self.assertEqual({'vfs_read': 5}, self.sites(agent, returns['id']))
            self.assertEqual({'syscalls:sys_enter_read': 5}, self.sites(agent, events['id']))
            self.assertEqual({'sys_enter': 5}, self.sites(agent, points['id']))
            self.assertEqual([], agent.request('list_sites', set_id=entries['id'])['names'])
            self.told(agent, view, member, program, took_ns)

            off = change(count=False)['switched_ns']
            program.tell(3)
            self.assertEqual(counted, self.sites(agent, entries['id']))
            late = change(add_sites=dict(kind='SITE_ENTRY', names=['__x64_sys_read']))
            program.tell(1)
            self.assertEqual({}, self.sites(agent, late['id']))
            self.assertTrue(0 < off < change(count=True)['switched_ns'])
            program.tell(2)
            self.assertEqual({'ksys_read': 7, 'vfs_read': 7}, self.sites(agent, entries['id']))
            self.assertEqual({'__x64_sys_read': 2}, self.sites(agent, late['id']))
            change(close=late['id'])
            self.refused('FAILED', 'no set', lambda: agent.request('list_sites', set_id=late['id']))
            change(close=member)
            self.assertIn('processes 0\n', self.guest.shell('/guest/bin/kviewctl stat'))
            program.tell(1)
            self.assertEqual({'ksys_read': 7, 'vfs_read': 7}, self.sites(agent, entries['id']))
            change(close=view)
            self.assertEqual([], agent.request('list_views')['views'])
            self.refused('FAILED', 'no view', lambda: change(count=True))

    def told(self, agent, view, member, program, took_ns):
        told = self.view(agent, view)
        self.assertEqual((True, 'reads of the shop', agent.guest_pid, 1),
                         (told['own'], told['name'], told['owner_pid'], told['processes']))
        self.assertTrue(told['text_pages'] > 0 and told['table_pages'] > 0 and told['set_added_ns'] > 0, told)
        attached, = told['attachments']
        self.assertEqual((member, f'process {program.pid}', program.pid, True, True),
                         (attached['id'], attached['name'], attached['pid'], attached['follows_forks'], attached['follows_execs']))
        # By the guest's clock, which emulation lets go at its own pace.
        self.assertTrue(0 < attached['attach_ns'] < 2 * took_ns, (attached, took_ns))

    def test_views_of_others_are_told_and_not_changed(self):
        with self.guest.program('exits') as program, self.guest.agent() as agent:
            self.guest.shell(f'/guest/bin/kviewctl create web -f vfs_read && /guest/bin/kviewctl attach web -p {program.pid}')
            try:
                view, = agent.request('list_views')['views']
                before = self.sites(agent, view['sets'][0]['id']).get('vfs_read', 0)
                program.tell(4)
                self.assertEqual(before + 4, self.sites(agent, view['sets'][0]['id'])['vfs_read'])
                self.assertFalse(view['own'])
                for change in (dict(count=False), dict(close=view['id']), dict(close=view['attachments'][0]['id']),
                               dict(attach_process=dict(pid=program.pid))):
                    self.refused('NO_PERMISSION', 'of kviewctl (process ',
                                 lambda: agent.request('change_view', view_id=view['id'], **change))
                self.refused('FAILED', 'no set', lambda: agent.request('list_sites', set_id=view['id']))
                self.assertEqual(1, self.view(agent, view['id'])['processes'])
            finally:
                self.guest.shell('/guest/bin/kviewctl remove web')

    def test_cgroups_and_queues(self):
        group = '/sys/fs/cgroup/shop'
        device = self.guest.shell('ls -d /sys/class/net/*/device').split('/')[4]
        self.guest.shell(f'mkdir -p {group}')
        with self.guest.program('exits') as program, self.guest.agent() as agent:
            view = agent.request('change_view', make='')['id']
            change = lambda **what: agent.request('change_view', view_id=view, **what)
            entries = change(add_sites=dict(kind='SITE_ENTRY', names=['vfs_read', 'tcp_v4_rcv']))['id']
            self.refused('UNSUPPORTED', 'no directory of cgroup v2', lambda: change(attach_cgroup='/tmp'))
            change(attach_cgroup=group)
            program.tell(1)
            self.assertEqual({}, self.sites(agent, entries))
            self.guest.shell(f'echo {program.pid} >{group}/cgroup.procs')
            program.tell(2)
            self.assertEqual({'vfs_read': 2}, self.sites(agent, entries))
            self.refused('UNSUPPORTED', 'no such device', lambda: change(attach_queue=dict(device='nosuch0', queue=0)))
            self.refused('UNSUPPORTED', 'no thread polls', lambda: change(attach_queue=dict(device=device, queue=0)))
            self.guest.shell(f'echo 1 >/sys/class/net/{device}/threaded')
            try:
                change(attach_queue=dict(device=device, queue=0))
                program.tell(1)
                # The requests themselves come by that queue.
                self.assertTrue(self.sites(agent, entries)['tcp_v4_rcv'] > 0)
                self.assertEqual({'CGROUP', 'QUEUE'}, {a['kind'] for a in self.view(agent, view)['attachments']})
            finally:
                change(close=view)
                self.guest.shell(f'echo 0 >/sys/class/net/{device}/threaded')
        self.guest.shell(f'rmdir {group}')

    def test_views_go_with_their_agent(self):
        with self.guest.program('exits') as program:
            agent = self.guest.agent()
            view = agent.request('change_view', make='left behind')['id']
            agent.request('change_view', view_id=view, add_sites=dict(kind='SITE_ENTRY', names=['vfs_read']))
            agent.request('change_view', view_id=view, attach_process=dict(pid=program.pid))
            self.guest.shell(f'kill -9 {agent.guest_pid}')
            self.guest.until_stat_has('views 0')
            agent.close()
            self.assertTrue(program.is_alive())

    def starts(self, agent, pid, **options):
        """Of a recording of its reads; what it is answered is to be asked for."""
        return agent.send('start_recording', pid=pid, probes=[dict(function_id=0, system_call=dict(name='read'))], **options)

    def is_served(self, agent, waiting):
        """Others are, while that request is not answered."""
        self.assertTrue(agent.request('list_processes')['processes'])
        self.assertFalse(waiting in agent.answers)

    def test_nobody_waits_for_an_execve_but_who_asked_for_its_process(self):
        with self.guest.program('hangs') as hangs, self.guest.program('waiters 1') as other, self.guest.agent() as agent:
            pid = int(hangs.process.stdout.readline())
            agent.answer(self.starts(agent, other.pid, filter='FILTER_VIEW', interval_ms=100))
            view = agent.request('change_view', make='web')['id']
            join = lambda number: agent.send('change_view', view_id=number, attach_process=dict(pid=pid, execs=True))
            waiting = join(view)
            self.is_served(agent, waiting)
            self.refused('BUSY', 'records already', lambda: agent.answer(self.starts(agent, other.pid)))
            # The recording's figures come, and its end lets the process go.
            told = len(agent.all('histogram_delta'))
            self.assertTrue(wait_until(lambda: len(agent.all('histogram_delta')) > told + 2, PATIENCE_S))
            agent.stop()
            self.assertEqual([view], [v['id'] for v in agent.request('list_views')['views']])
            self.is_served(agent, waiting)
            agent.request('change_view', view_id=view, close=view)
            self.refused('FAILED', 'The view was closed before the process', lambda: agent.answer(waiting))
            self.assertEqual([], agent.request('list_views')['views'])

            starts = self.starts(agent, pid, filter='FILTER_VIEW')
            self.is_served(agent, starts)
            self.refused('BUSY', 'records already', lambda: agent.answer(self.starts(agent, other.pid)))
            agent.request('stop_recording')
            self.refused('FAILED', 'stopped before it began', lambda: agent.answer(starts))
            follows = agent.send('flow', pid=pid, system_call='read')
            self.is_served(agent, follows)
            agent.request('end_flow')
            self.refused('FAILED', 'ended before it began', lambda: agent.answer(follows))

            view = agent.request('change_view', make='web')['id']
            waiting, starts = join(view), self.starts(agent, pid, filter='FILTER_VIEW')
            self.is_served(agent, waiting)
            self.is_served(agent, starts)
            hangs.process.stdin.write('.')
            hangs.process.stdin.flush()
            self.assertEqual('FILTER_VIEW', agent.answer(starts)['filter'])
            self.assertEqual(agent.answer(waiting)['id'], self.view(agent, view)['attachments'][0]['id'])
            agent.stop()
            agent.request('change_view', view_id=view, close=view)

    def test_a_second_view_that_is_refused_is_done_without(self):
        """Functions of programs are measured in two, and a process can be in sixteen."""
        with self.guest.program('threads 1') as program, self.guest.agent() as agent:
            views = [agent.request('change_view', make=f'other {i}')['id'] for i in range(15)]
            for view in views:
                agent.request('change_view', view_id=view, attach_process=dict(pid=program.pid))
            functions = agent.find(program.pid, '', 'read_some')
            with self.assertRaises(AgentError) as caught:
                agent.record(program.pid, functions, filter='FILTER_VIEW')
            self.assertIn('as many views as a process can be', str(caught.exception))
            reply = agent.record(program.pid, functions)
            self.assertEqual('FILTER_IN', reply['filter'])
            self.assertIn('as many views as a process can be', reply['filter_note'])
            agent.stop()
            agent.request('change_view', view_id=views[0], close=views[0])
            self.assertEqual('FILTER_VIEW', agent.record(program.pid, functions)['filter'])
            agent.request('stop_recording')
            for view in views[1:]:
                agent.request('change_view', view_id=view, close=view)

    def test_a_place_that_is_refused_is_told_and_the_rest_goes_on(self):
        points = [dict(kernel_function=dict(name='vfs_read')), dict(kernel_function=dict(name='no_such_function')),
                  dict(tracepoint=dict(category='syscalls', name='sys_enter_read')), dict(tracepoint=dict(category='sched', name='sched_process_exit'))]
        probes = [dict(point, function_id=i) for i, point in enumerate(points)]
        with self.guest.program('exits') as program, self.guest.agent() as agent:
            program.until_it_reads_input()
            record = lambda chosen: agent.request('start_recording', pid=program.pid, filter='FILTER_VIEW', probes=chosen)
            for alone, why in ((1, 'no place for no_such_function'), (3, 'not seen in a view')):
                self.refused('UNSUPPORTED', why, lambda: record([dict(points[alone], function_id=0)]))
            self.assertEqual('FILTER_VIEW', record(probes)['filter'])
            program.tell(3)
            agent.stop()
            figures = {f['function_id']: f for delta in agent.all('histogram_delta') for f in delta['functions']}
            # The last of them has not returned.
            self.assertEqual([3, 0, 3, 0], [figures[i]['calls'] for i in range(4)])
            self.assertEqual(['', ''], [figures[i]['probes_off'] for i in (0, 2)])
            self.assertIn('no place for this function in a view (there is none of that name)', figures[1]['probes_off'])
            self.assertIn('not seen in a view', figures[3]['probes_off'])

    def test_children_that_could_not_come_into_the_view_are_told(self):
        """The module is made to have no memory as one is forked."""
        with self.guest.program('forks') as program, self.guest.agent() as agent:
            agent.record(program.pid, agent.find(program.pid, '', 'read'), filter='FILTER_VIEW')
            failed = children = 0
            # What the module does without memory may be another thing that it wants just then, and can do without.
            while not failed:
                self.assertTrue(children < FORKS_MOST)
                if children:
                    self.guest.shell('echo 1 >/sys/module/kview/parameters/fail_nth')
                program.process.stdin.write('.')
                program.process.stdin.flush()
                children += 1
                forked = f'cat /proc/{program.pid}/task/{program.pid}/children'
                self.assertTrue(wait_until(lambda: len(self.guest.shell(forked).split()) == children, PATIENCE_S))
                # Else it may be what is asked for next that fails.
                self.guest.shell('echo 0 >/sys/module/kview/parameters/fail_nth')
                self.assertTrue(wait_until(lambda: sum(self.followed(agent)) == children, PATIENCE_S))
                failed = self.followed(agent)[1]
            self.assertEqual(1, failed)
            self.assertIn('1 forked child could not come into the view that tells what becomes of forked children', agent.stop()['calibration_note'])

    def test_an_execve_after_which_the_process_is_in_no_view_is_told(self):
        """The module is made to have no memory as the process is to come back."""
        with self.guest.program('execs 1000000') as program, self.guest.agent() as agent:
            agent.request('start_recording', pid=program.pid, filter='FILTER_VIEW', budget_ppm=0,
                          probes=[dict(function_id=0, system_call=dict(name='read'))])
            tries = 0
            # What fails may be another thing, which it can do without.
            while not self.left_out(agent) and tries < FORKS_MOST:
                tries += 1
                self.guest.shell('echo 1 >/sys/module/kview/parameters/fail_nth')
                self.guest.until('[ $(cat /sys/module/kview/parameters/fail_nth) = 0 ]')
                wait_until(lambda: self.left_out(agent), 1)
            ended = agent.stop()
            self.assertEqual('FAILED', ended['reason'])
            self.assertIn('After an execve the process could not come back into its view of the kernel', ended['message'])
            self.assertTrue(program.is_alive())

    def left_out(self, agent):
        """How often somebody could not come into the recording's view."""
        return sum(a['join_failed'] for v in agent.request('list_views')['views'] if v['name'] == 'kview record' for a in v['attachments'])

    def followed(self, agent):
        """How many forked children came into the view for them, and how many could not."""
        return next((a['joined'], a['join_failed']) for v in agent.request('list_views')['views']
                    if v['name'] == 'kview record: children' for a in v['attachments'])

    def wakers(self, agent, reply, thread):
        """Of each wake-up in the trace: who was woken, and by whom. And why that thread left its CPU, each time."""
        with tempfile.TemporaryDirectory() as folder:
            write_trace(agent, reply, folder)
            text = subprocess.run(['babeltrace2', '--names=none', folder], capture_output=True, text=True, check=True).stdout
        leaves = re.findall('kview:switch_out:.*{ %s, .*?"([a-z_]+)"' % thread, text, re.IGNORECASE)
        return re.findall(r'kview:wakeup:.*?\{ (\d+), (\d+), \d+, "flows" \}', text), [cause.lower() for cause in leaves]

    def test_wake_ups_by_the_process_itself_are_in_the_trace(self):
        """One of its threads writes into the pipe that its first one reads. It sleeps, from which an interrupt wakes it."""
        with self.guest.program('pipe 5 100000') as program, self.guest.agent() as agent:
            threads = set(self.guest.shell(f'ls /proc/{program.pid}/task').split())
            (writer,) = threads - {str(program.pid)}
            reader, by_writer = str(program.pid), {(str(program.pid), writer)}
            user = lambda name: {key: agent.find(program.pid, '', name)[0][key] for key in ('binary', 'symbol', 'file_offset')}
            for point, thread, expected in ((dict(system_call=dict(name='read')), reader, by_writer),
                                            (dict(kernel_function=dict(name='pipe_read')), reader, by_writer),
                                            (user('read'), reader, by_writer), (user('nanosleep'), writer, set())):
                agent.messages.clear()
                reply = agent.request('start_recording', pid=program.pid, probes=[dict(function_id=0, **point)], filter='FILTER_VIEW',
                                      events=True)
                self.assertIn('Who woke a thread is seen where a thread of the process did.', reply['filter_note'])
                self.assertTrue(wait_until(lambda: sum(p['events'] for p in agent.all('event_packet')) > 200, PATIENCE_S))
                agent.stop()
                told, leaves = self.wakers(agent, reply, thread)
                waits = leaves.count('network' if expected else 'sleep')
                self.assertEqual(expected, set(told), point)
                # The first and the last one may be cut; who is preempted on his way into a wait can be woken as well.
                self.assertTrue(waits > 10 and (waits - 2 <= len(told) <= len(leaves) or not expected), (point, told, leaves))

    def test_all_functions_of_the_kernel_at_once(self):
        """Prints how long one look at the sites takes, and what it sends."""
        names = self.guest.shell(f"/guest/applets/grep -v '\\[' {TRACING}/available_filter_functions").split()[:MOST_FUNCTIONS]
        with self.guest.program('zero 1') as program, self.guest.agent() as agent:
            view = agent.request('change_view', make='all')['id']
            made = agent.request('change_view', view_id=view, add_sites=dict(kind='SITE_ENTRY', names=names))
            agent.request('change_view', view_id=view, attach_process=dict(pid=program.pid))
            told = agent.request('list_sites', set_id=made['id'], names=True)
            self.assertTrue(told['sites'] > 30_000, told['sites'])
            self.assertEqual(set(), set(told['names']) - set(names))
            begin = time.monotonic()
            first = agent.request('list_sites', set_id=made['id'])
            took = time.monotonic() - begin
            end = time.monotonic() + PATIENCE_S
            site = told['names'].index('vfs_read')
            hits = lambda reply: next((f['hits'] for f in reply['figures'] if f['site'] == site), 0)
            while hits(agent.request('list_sites', set_id=made['id'])) <= hits(first):
                self.assertTrue(time.monotonic() < end)
            agent.request('change_view', view_id=view, close=view)
        print('%d sites, %d of them with figures, in %.0f ms' % (told['sites'], len(first['figures']), 1000 * took))


if __name__ == '__main__':
    unittest.main()
