"""Numbers of Lee (TACO 2015), for columns beside ours.

Table I: sampling latency in cycles: least, greatest, median, mean; on a processor of 2.4 GHz.
"""

from __future__ import annotations

GHZ = 2.4

TABLE_1 = {
    "CallDensityBias": (567, 26_328_513, 693, 146_115),
    "LatencyBias": (615, 27_842_090, 7_840, 587_981),
    "compress": (840, 36_064_212, 1_107, 147_325),
    "jess": (879, 39_253_358, 2_457, 247_939),
    "raytrace": (771, 38_325_786, 1_620, 298_017),
    "javac": (819, 85_017_695, 3_078, 572_759),
    "mpegaudio": (612, 47_015_096, 1_317, 141_262),
    "mtrt": (765, 32_670_532, 1_842, 315_140),
    "jack": (861, 36_776_840, 2_727, 281_644),
    "antlr": (807, 52_337_041, 3_048, 363_452),
    "bloat": (798, 51_491_470, 2_781, 266_009),
    "chart": (747, 78_114_270, 1_920, 557_791),
    "eclipse": (570, 22_082_664_980, 3_168, 3_224_272),
    "fop": (771, 41_918_081, 3_270, 311_546),
    "hsqldb": (753, 201_737_433, 2_979, 865_378),
    "jython": (699, 33_083_743, 2_715, 200_251),
    "luindex": (753, 46_589_800, 2_643, 133_585),
    "lusearch": (552, 52_943_910, 496_305, 2_077_687),
    "pmd": (792, 65_042_556, 2_520, 326_665),
    "xalan": (792, 45_662_589, 3_150, 374_958),
}

# Our programs that are the paper's, though of other versions and with other inputs.
SAME = {"call-density": "CallDensityBias", "latency": "LatencyBias", "antlr4": "antlr",
        "fop": "fop", "jython": "jython", "lusearch": "lusearch", "xalan": "xalan"}

# Section 6.2: mean overlap over the benchmarks in percent, by correction; and lusearch's.
ACCURACY = {"none": 61, "density": 71, "density+latency": 72}
LUSEARCH = {"none": 38, "density+latency": 67}
# CBS(8, 2) against CBS(1, 1), in percent.
OVERHEAD = 0.2


def microseconds(cycles: float) -> float:
    return cycles / GHZ / 1000
