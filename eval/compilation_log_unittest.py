import unittest

from eval import compilation_log
from eval.measure import Failed

# Excerpts of logs of JDK 17.0.21 and 25.0.3 running fop; lines that say nothing of calls, and times,
# are left out.

_C1_17 = """\
<task compile_id='518' method='java.util.ImmutableCollections$AbstractImmutableCollection &lt;init&gt; ()V' bytes='5' count='574' iicount='574' level='3' stamp='1.933'>
<phase name='buildIR' stamp='1.933'>
<type id='1139' name='void'/>
<klass id='1274' name='java.util.ImmutableCollections$AbstractImmutableCollection' flags='1032'/>
<method id='1275' holder='1274' name='&lt;init&gt;' return='1139' flags='0' bytes='5' iicount='574'/>
<parse method='1275'  stamp='1.933'>
<phase name='parse_hir' stamp='1.933'>
<bc code='183' bci='1'/>
<klass id='1234' name='java.util.AbstractCollection' flags='1025'/>
<method id='1277' holder='1234' name='&lt;init&gt;' return='1139' flags='4' bytes='5' compile_id='46' compiler='c1' level='3' iicount='1190'/>
<call method='1277' instr='invokespecial'/>
<inline_success reason='inline'/>
<parse method='1277'>
<phase name='parse_hir' stamp='1.933'>
<bc code='183' bci='1'/>
<klass id='1144' name='java.lang.Object' flags='1'/>
<method id='1278' holder='1144' name='&lt;init&gt;' return='1139' flags='1' bytes='1' compile_id='1' compiler='c1' level='3' iicount='2048'/>
<call method='1278' instr='invokespecial'/>
<inline_fail reason='callee is too large'/>
<parse_done stamp='1.933'/>
</parse>
<parse_done stamp='1.933'/>
</parse>
<phase_done stamp='1.933'/>
</phase>
<code_cache total_blobs='902' nmethods='519' adapters='299' free_code_cache='249544320'/>
<task_done success='1' nmsize='368' count='574' stamp='1.933'/>
</task>
"""
_INTRINSIC_17 = """\
<task compile_id='1025' method='org.apache.fop.fo.CharIterator clone ()Ljava/lang/Object;' bytes='8' count='8996' iicount='8996' stamp='3.901'>
<klass id='1144' name='java.lang.Object' flags='1'/>
<klass id='1274' name='org.apache.fop.fo.CharIterator' flags='1025'/>
<method id='1275' holder='1274' name='clone' return='1144' flags='1' bytes='8' compile_id='806' compiler='c1' level='3' iicount='8996'/>
<parse method='1275' uses='8996.000000' stamp='3.901'>
<bc code='183' bci='1'/>
<method id='1278' holder='1144' name='clone' return='1144' flags='260' bytes='0' compile_id='128' compile_kind='c2n' compiler='' level='0' iicount='128'/>
<call method='1278' count='8485' prof_factor='1.000000' inline='1'/>
<inline_fail reason='native method'/>
<intrinsic id='_clone' nodes='94'/>
<parse_done stamp='3.901'/>
</parse>
<task_done success='1' nmsize='360' count='8996' stamp='3.901'/>
</task>
"""
_TWO_RECEIVERS_17 = """\
<task compile_id='2625' method='java.lang.Character codePointAt (Ljava/lang/CharSequence;I)I' bytes='51' count='76855' iicount='76855' stamp='9.351'>
<type id='1137' name='int'/>
<klass id='1279' name='java.lang.CharSequence' flags='1537'/>
<klass id='1245' name='java.lang.Character' flags='17'/>
<method id='1280' holder='1245' name='codePointAt' return='1137' arguments='1279 1137' flags='9' bytes='51' compile_id='2625' compiler='c2' level='4' iicount='76855'/>
<parse method='1280' uses='76778.000000' stamp='9.351'>
<bc code='185' bci='2'/>
<klass id='1291' name='org.apache.fop.fo.FOText' flags='1'/>
<klass id='1292' name='java.nio.HeapCharBuffer' flags='0'/>
<type id='1132' name='char'/>
<method id='1285' holder='1279' name='charAt' return='1132' arguments='1137' flags='1025' bytes='0' iicount='1'/>
<call method='1285' count='74620' prof_factor='0.998998' virtual='1' inline='1' receiver='1291' receiver_count='37310' receiver2='1292' receiver2_count='37310'/>
<method id='1293' holder='1291' name='charAt' return='1132' arguments='1137' flags='1' bytes='9' compile_id='2627' compiler='c2' level='4' iicount='77990'/>
<call method='1293' count='74620' prof_factor='0.998998' inline='1'/>
<inline_success reason='inline (hot)'/>
<klass id='1294' name='java.nio.CharBuffer' flags='1025'/>
<method id='1296' holder='1294' name='charAt' return='1132' arguments='1137' flags='17' bytes='16' compile_id='1970' compiler='c1' level='3' iicount='38389'/>
<call method='1296' count='74620' prof_factor='0.998998' inline='1'/>
<inline_success reason='inline (hot)'/>
<predicted_call bci='2' exact='1' klass='1291'/>
<predicted_call bci='2' exact='1' klass='1292'/>
<predicted_call bci='2' exact='0' klass='1294'/>
<parse method='1296' uses='76778.000000' stamp='9.351'>
<bc code='182' bci='8'/>
<klass id='1238' name='java.nio.Buffer' flags='1025'/>
<method id='1298' holder='1238' name='checkIndex' return='1137' arguments='1137 1137' flags='16' bytes='24' compile_id='1842' compiler='c1' level='2' iicount='36610'/>
<call method='1298' count='36098' prof_factor='1.000000' inline='1'/>
<klass id='1301' name='java.lang.IndexOutOfBoundsException' flags='1'/>
<inline_success reason='inline (hot)'/>
<predicted_call bci='8' exact='0' klass='1238'/>
<parse method='1298' uses='38389.000000' stamp='9.351'>
<bc code='155' bci='1'/>
<parse_done stamp='9.351'/>
</parse>
<parse_done stamp='9.351'/>
</parse>
<parse_done stamp='9.351'/>
</parse>
<task_done success='1' nmsize='360' count='8996' stamp='9.351'/>
</task>
"""
_LAMBDA_17 = """\
<task compile_id='2829' method='java.util.regex.Pattern$$Lambda$18/0x800000028 is (I)Z' bytes='9' count='81600' iicount='81600' stamp='12.736'>
<type id='1131' name='boolean'/>
<type id='1137' name='int'/>
<klass id='1274' name='java.util.regex.Pattern$$Lambda$18/0x800000028' flags='4112'/>
<method id='1275' holder='1274' name='is' return='1131' arguments='1137' flags='1' bytes='9' compile_id='2042' compiler='c1' level='3' iicount='81600'/>
<parse method='1275' uses='81600.000000' stamp='12.736'>
<bc code='184' bci='5'/>
<klass id='1277' name='java.util.regex.Pattern' flags='17'/>
<method id='1278' holder='1277' name='lambda$Single$7' return='1131' arguments='1137 1137' flags='4106' bytes='11' iicount='79476'/>
<call method='1278' count='79220' prof_factor='1.000000' inline='1'/>
<inline_success reason='inline (hot)'/>
<parse method='1278' uses='81600.000000' stamp='12.736'>
<bc code='160' bci='2'/>
<parse_done stamp='12.736'/>
</parse>
<parse_done stamp='12.736'/>
</parse>
<task_done success='1' nmsize='152' count='81600' inlined_bytes='11' stamp='12.736'/>
</task>
"""
_LATE_25 = """\
<task compile_id='3934' method='org.apache.fop.layoutmgr.inline.TextLayoutManager$TextAreaBuilder initWord (I)V' bytes='65' count='48721' iicount='48721' stamp='18.236'>
<type id='1212' name='void'/>
<type id='1210' name='int'/>
<klass id='1386' name='org.apache.fop.layoutmgr.inline.TextLayoutManager$TextAreaBuilder' flags='18'/>
<method id='1387' holder='1386' name='initWord' return='1212' arguments='1210' flags='2' bytes='65' compile_id='3192' compiler='c1' level='3' iicount='48721'/>
<dependency type='evol_method' x0='1387'/>
<parse method='1387' uses='48721.000000' stamp='18.236'>
<bc code='183' bci='6'/>
<klass id='1295' name='java.lang.StringBuffer' flags='17'/>
<method id='1389' holder='1295' name='&lt;init&gt;' return='1212' arguments='1210' flags='1' bytes='6' compile_id='2280' compiler='c1' level='3' iicount='75313'/>
<call method='1389' count='46598' prof_factor='1.000000' inline='1'/>
<inline_success reason='inline (hot)'/>
<inline_id id='33792802684974'/>
<direct_call bci='6'/>
<bc code='184' bci='41'/>
<klass id='1376' name='[I' flags='1041'/>
<klass id='1390' name='java.util.Arrays' flags='17'/>
<method id='1391' holder='1390' name='fill' return='1212' arguments='1376 1210' flags='9' bytes='21' compile_id='3852' compiler='c2' level='4' iicount='29847'/>
<call method='1391' count='46598' prof_factor='1.000000' inline='1'/>
<inline_success reason='inline (hot)'/>
<parse method='1391' uses='48721.000000' stamp='18.236'>
<bc code='162' bci='7'/>
<parse_done nodes='346' live='340' memory='65240' stamp='18.236'/>
</parse>
<parse_done nodes='395' live='388' memory='76824' stamp='18.236'/>
</parse>
<late_inline method='1389'  inline_id='33792802684974'>
<jvms bci='6' method='1387'/>
</late_inline>
<parse method='1389' uses='48721.000000' stamp='18.236'>
<bc code='183' bci='2'/>
<klass id='1294' name='java.lang.AbstractStringBuilder' flags='1024'/>
<method id='1393' holder='1294' name='&lt;init&gt;' return='1212' arguments='1210' flags='0' bytes='39' compile_id='722' compiler='c2' level='4' iicount='6404'/>
<call method='1393' count='74926' prof_factor='0.646914' inline='1'/>
<inline_success reason='inline (hot)'/>
<parse method='1393' uses='48721.000000' stamp='18.236'>
<bc code='153' bci='7'/>
<parse_done nodes='523' live='410' memory='99320' stamp='18.236'/>
</parse>
<parse_done nodes='534' live='420' memory='104448' stamp='18.236'/>
</parse>
<loop_tree>
<loop idx='619' inner_loop='1' >
</loop>
</loop_tree>
<task_done success='1' nmsize='936' count='48721' inlined_bytes='87' stamp='18.236'/>
</task>
"""
_STALE_25 = """\
<task compile_id='1747' method='jdk.internal.classfile.impl.RawBytecodeHelper opcode ()I' bytes='9' count='1894' iicount='1894' stamp='6.938'>
<failure reason='stale task'/>
<task_done success='0' nmsize='0' count='1894' stamp='6.938'/>
</task>
"""
_INSTALLED = "<nmethod compile_id='{}' compiler='c2' level='4' size='536' stamp='0.118'/>\n"


def log_of(*tasks, tty="", end="<hotspot_log_done stamp='22.671'/>\n"):
    return compilation_log.parse(f"""\
<?xml version='1.0' encoding='UTF-8'?>
<hotspot_log version='160 1' process='732' time_ms='1795307704871'>
<tty>
<writer thread='788'/>
{tty}</tty>
<compilation_log thread='788'>
<start_compile_thread name='C1 CompilerThread0' thread='788' process='732' stamp='0.106'/>
{''.join(tasks)}</compilation_log>
{end}</hotspot_log>
""".splitlines(keepends=True))


class Inlined(unittest.TestCase):
    def test_c1_inlines_where_it_says_so_and_nowhere_else(self):
        log = log_of(_C1_17)
        self.assertEqual({("java.util.ImmutableCollections$AbstractImmutableCollection.<init>()V",
                           1, "java.util.AbstractCollection.<init>()V")}, log.inlined)
        self.assertFalse(log.inlined_by_c2)
        self.assertTrue(log.compiled)
        self.assertFalse(log.unknown)

    def test_intrinsics_count_as_inlined(self):
        self.assertEqual({("org.apache.fop.fo.CharIterator.clone()Ljava/lang/Object;", 1,
                           "java.lang.Object.clone()Ljava/lang/Object;")},
                         log_of(_INTRINSIC_17).inlined_by_c2)

    def test_every_receivers_method_counts_at_a_polymorphic_call_site(self):
        caller = "java.lang.Character.codePointAt(Ljava/lang/CharSequence;I)I"
        self.assertEqual({(caller, 2, "org.apache.fop.fo.FOText.charAt(I)C"),
                          (caller, 2, "java.nio.CharBuffer.charAt(I)C"),
                          ("java.nio.CharBuffer.charAt(I)C", 8,
                           "java.nio.Buffer.checkIndex(II)I")}, log_of(_TWO_RECEIVERS_17).inlined)

    def test_what_is_inlined_late_belongs_to_the_call_site_that_it_names(self):
        builder = "org.apache.fop.layoutmgr.inline.TextLayoutManager$TextAreaBuilder.initWord(I)V"
        self.assertEqual({(builder, 6, "java.lang.StringBuffer.<init>(I)V"),
                          (builder, 41, "java.util.Arrays.fill([II)V"),
                          ("java.lang.StringBuffer.<init>(I)V", 2,
                           "java.lang.AbstractStringBuilder.<init>(I)V")},
                         log_of(_LATE_25).inlined)

    def test_c1_inlines_another_method_than_the_call_names(self):
        """Made up: a method that overrides the one of the call site."""
        log = log_of(_C1_17.replace("<parse method='1277'>", "<method id='9' holder='1234' "
                                    "name='only' return='1139'/>\n<parse method='9'>"))
        self.assertIn(("java.util.ImmutableCollections$AbstractImmutableCollection.<init>()V", 1,
                       "java.util.AbstractCollection.only()V"), log.inlined)

    def test_what_glue_inlines_is_inlined_for_all_callers_but_those_without_glue(self):
        log = log_of(_LAMBDA_17)
        self.assertFalse(log.inlined)
        callee = "java.util.regex.Pattern.lambda$Single$7(II)Z"
        self.assertEqual({callee}, log.inlined_into_glue)
        self.assertTrue(log.is_inlined(("app.Main.main()V", 4, callee)))
        # Made up: the lambda's proxy inlines what C1 saw to be called without a proxy, too.
        base = "java.util.AbstractCollection"
        log = log_of(_C1_17.replace("<inline_success reason='inline'/>", "<inline_fail/>", 1)
                     .replace("<parse method='1277'>", "<observe/>", 1).replace("</parse>", "", 1),
                     _LAMBDA_17.replace("java.util.regex.Pattern'", f"{base}'")
                     .replace("lambda$Single$7", "&lt;init&gt;").replace("return='1131' arguments="
                     "'1137 1137'", "return='9'").replace("<type id='1137' name='int'/>", "<type "
                     "id='1137' name='int'/>\n<type id='9' name='void'/>"))
        self.assertEqual({f"{base}.<init>()V"}, log.inlined_into_glue)
        caller = "java.util.ImmutableCollections$AbstractImmutableCollection.<init>()V"
        self.assertFalse(log.is_inlined((caller, 1, f"{base}.<init>()V")))
        self.assertTrue(log.is_inlined((caller, 7, f"{base}.<init>()V")))

    def test_glue_between_caller_and_callee_is_passed_over(self):
        proxy = "<klass id='5' name='app.Main$$Lambda/0x800000027'/>\n"
        log = log_of(_TWO_RECEIVERS_17.replace(
            "<klass id='1294' name='java.nio.CharBuffer' flags='1025'/>\n",
            proxy.replace("'5'", "'1294'")))
        self.assertIn(("java.lang.Character.codePointAt(Ljava/lang/CharSequence;I)I", 2,
                       "java.nio.Buffer.checkIndex(II)I"), log.inlined)

    def test_a_compilation_that_was_given_up_inlines_nothing(self):
        log = log_of(_LATE_25, _C1_17.replace("success='1'", "success='0'"), _STALE_25)
        self.assertEqual(1, log.tasks)
        self.assertEqual(3, len(log.inlined))


class Names(unittest.TestCase):
    def test_are_those_of_profiles(self):
        for external, reported in {
                "java.util.regex.Pattern$$Lambda$18/0x800000028": "java.util.regex.Pattern$$Lambda",
                "java.util.regex.Pattern$$Lambda/0x800000027": "java.util.regex.Pattern$$Lambda",
                "java.lang.invoke.LambdaForm$MH/0x00007f9781001c00":
                    "java.lang.invoke.LambdaForm$MH",
                "jdk.internal.reflect.GeneratedMethodAccessor17":
                    "jdk.internal.reflect.GeneratedMethodAccessor",
                "a.B0x$1": "a.B0x$1"}.items():
            self.assertEqual(reported, compilation_log.reported_class_name(external))


class Damage(unittest.TestCase):
    def test_a_log_that_is_cut_off_is_refused(self):
        with self.assertRaisesRegex(Failed, "cut off"):
            log_of(_C1_17, end="")

    def test_a_log_without_an_installed_compilation_is_refused(self):
        with self.assertRaisesRegex(Failed, "lacks 1 of 2 .* such as 519"):
            log_of(_C1_17, tty=_INSTALLED.format(518) + _INSTALLED.format(519))

    def test_a_log_without_compilations_is_refused(self):
        with self.assertRaisesRegex(Failed, "no compilation"):
            log_of()

    def test_an_inlining_of_no_call_is_refused(self):
        with self.assertRaisesRegex(Failed, "line 18.*without a <call>"):
            log_of(_C1_17.replace("<call method='1277' instr='invokespecial'/>\n", "", 1))

    def test_a_method_that_was_never_told_is_refused(self):
        with self.assertRaisesRegex(Failed, "KeyError"):
            log_of(_C1_17.replace("<method id='1277'", "<method id='12770'"))

    def test_a_line_that_is_no_element_is_refused(self):
        with self.assertRaisesRegex(Failed, "not understood"):
            log_of(_C1_17.replace("bci='1'/>", "bci='1", 1))

    def test_unknown_elements_are_told(self):
        log = log_of(_C1_17.replace("<phase name", "<inline_maybe name", 1))
        self.assertEqual({"inline_maybe": 1}, log.unknown)

    def test_what_was_compiled_at_the_end_counts_when_it_was_installed(self):
        part = _C1_17[:_C1_17.index("<parse_done")] + "<method id='1414' holder='1387' name='"
        cut = f"<fragment>\n<![CDATA[\n{part}]]>\n</fragment>\n"
        self.assertEqual(2, log_of(_INTRINSIC_17, cut, tty=_INSTALLED.format(518)).tasks)
        self.assertEqual(1, log_of(_INTRINSIC_17, cut).tasks)


if __name__ == "__main__":
    unittest.main()
