#ifndef YP_FORMAT_SPOOL_RECORD_FIELDS_H_
#define YP_FORMAT_SPOOL_RECORD_FIELDS_H_

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/graph/code_label.h"
#include "format/spool/encoding.h"
#include "format/spool/records.h"

// The fields of each record, in the order of its body, for who writes and who reads one. An archive
// (FieldWriter, FieldReader) has, for a field that it writes, or reads in its place:
//
//   Number(field)   unsigned, or an id: a varint, which must fit
//   Signed(field)   of 32 or 64 bits: a zigzag varint
//   Flag(field)     0 or 1
//   Text(field)
//   List(field, least_bytes, each)   how many elements, then each(element); an element has so many
//                                    bytes at least
//   More(is_needed) whether fields follow that were appended later: the writer's are written if
//                   is_needed, the reader's are there if anything is left
namespace yp::spool {

class FieldWriter {
 public:
  static constexpr bool kReads = false;
  explicit FieldWriter(Encoder* out) : out_(*out) {}

  template <typename T>
  void Number(T field) {
    out_.Unsigned(static_cast<uint64_t>(field));
  }
  void Signed(int64_t field) { out_.Signed(field); }
  void Flag(bool field) { out_.Unsigned(field ? 1 : 0); }
  void Text(const std::string& field) { out_.String(field); }
  template <typename T, typename Each>
  void List(const std::vector<T>& field, size_t, Each each) {
    out_.Unsigned(field.size());
    for (const T& element : field) each(element);
  }
  bool More(bool is_needed) const { return is_needed; }

 private:
  Encoder& out_;
};

class FieldReader {
 public:
  static constexpr bool kReads = true;
  explicit FieldReader(Decoder* in) : in_(*in) {}

  template <typename T>
  void Number(T& field) {
    if constexpr (std::is_enum_v<T>) {
      field = static_cast<T>(in_.UnsignedOf<std::underlying_type_t<T>>());
    } else {
      field = in_.UnsignedOf<T>();
    }
  }
  void Signed(int64_t& field) { field = in_.Signed(); }
  void Signed(int32_t& field) { field = in_.Signed32(); }
  void Flag(bool& field) { field = in_.Unsigned() != 0; }
  void Text(std::string& field) { field = in_.String(); }
  template <typename T, typename Each>
  void List(std::vector<T>& field, size_t least_bytes, Each each) {
    field.resize(in_.ListSize(least_bytes));
    for (T& element : field) each(element);
  }
  bool More(bool) const { return !in_.empty(); }

 private:
  Decoder& in_;
};

// A record to write, or to read into.
template <typename T, typename Of>
concept A = std::same_as<std::remove_const_t<T>, Of>;

// Lists that several records have.

void TextPairs(auto& archive, auto& pairs) {
  archive.List(pairs, 2, [&](auto& pair) {
    archive.Text(pair.first);
    archive.Text(pair.second);
  });
}
void Totals(auto& archive, auto& totals) {
  archive.List(totals, 2, [&](auto& total) {
    archive.Text(total.first);
    archive.Number(total.second);
  });
}
// Of ids, and how often.
void NumberPairs(auto& archive, auto& pairs) {
  archive.List(pairs, 2, [&](auto& pair) {
    archive.Number(pair.first);
    archive.Number(pair.second);
  });
}
// Of the kernel's ids of threads.
void CpuTimes(auto& archive, auto& threads) {
  archive.List(threads, 2, [&](auto& thread) {
    archive.Signed(thread.first);
    archive.Signed(thread.second);
  });
}

// The records.

void Fields(auto& archive, A<Config> auto& record) { TextPairs(archive, record.entries); }

void Fields(auto& archive, A<MethodDefinition> auto& record) {
  auto& method = record.method;
  archive.Number(record.id);
  archive.Text(method.class_name);
  archive.Text(method.name);
  archive.Text(method.descriptor);
  archive.Text(method.source_file);
  archive.Number(method.flags);
  archive.List(method.lines, 2, [&](auto& line) {
    archive.Number(line.bci);
    archive.Number(line.line);
  });
}

void Fields(auto& archive, A<EdgeDefinition> auto& record) {
  archive.Number(record.id);
  archive.Number(record.edge.caller);
  archive.Signed(record.edge.bci);
  archive.Number(record.edge.callee);
  if (archive.More(record.steps != 1)) archive.Number(record.steps);
  if constexpr (std::remove_reference_t<decltype(archive)>::kReads) {
    record.steps = std::max<uint32_t>(1, record.steps);
  }
}

void Fields(auto& archive, A<Counts> auto& record) { NumberPairs(archive, record.calls); }

void Fields(auto& archive, A<Window> auto& record) {
  archive.Number(record.tick);
  archive.Number(record.thread);
  archive.Signed(record.start_ns);
  archive.Signed(record.latency_ns);
  archive.Signed(record.duration_ns);
  archive.Signed(record.interval_ns);
  archive.Number(record.calls);
  NumberPairs(archive, record.samples);
  if (archive.More(record.near_calls != 0)) archive.Number(record.near_calls);
}

void Fields(auto& archive, A<Drops> auto& record) { Totals(archive, record.totals); }

void Fields(auto& archive, A<ThreadDefinition> auto& record) {
  archive.Number(record.id);
  archive.Text(record.name);
  if (archive.More(record.kernel_id != 0)) archive.Signed(record.kernel_id);
}

void Fields(auto& archive, A<End> auto& record) {
  archive.Signed(record.end_ns);
  archive.Signed(record.agent_cpu_ns);
}

void Fields(auto& archive, A<Compilation> auto& record) {
  archive.Number(record.id);
  archive.Signed(record.level);
  archive.Flag(record.is_osr);
  archive.List(record.nodes, 3, [&](auto& node) {
    archive.Number(node.parent);
    archive.Signed(node.bci);
    archive.Number(node.method);
  });
  archive.List(record.call_sites, 2, [&](auto& site) {
    archive.Number(site.node);
    archive.Signed(site.bci);
  });
  if (archive.More(record.compile_id != 0)) archive.Signed(record.compile_id);
}

void Fields(auto& archive, A<CompiledCall> auto& record) {
  archive.Number(record.id);
  archive.Number(record.edge);
  archive.Number(record.caller);
  archive.Number(record.caller_node);
  archive.Number(record.callee);
  if (archive.More(record.is_caller_profiled)) archive.Flag(record.is_caller_profiled);
}

void Fields(auto& archive, A<CompiledSamples> auto& record) {
  NumberPairs(archive, record.samples);
  if (archive.More(record.end_ns != 0)) archive.Signed(record.end_ns);
  if (archive.More(record.end_ns != 0)) archive.Signed(record.open_ns);
}

// Whether anything was counted before the recording began.
inline bool CountedBefore(const MethodProfile& record) {
  return record.invocations_before != 0 || record.interpreted_before != 0 ||
         std::ranges::any_of(record.sites, [](const MethodProfile::Site& site) {
           return site.before != 0 ||
                  std::ranges::any_of(site.receivers, [](const MethodProfile::Receiver& receiver) {
                    return receiver.before != 0;
                  });
         });
}

void Fields(auto& archive, A<MethodProfile> auto& record) {
  archive.Number(record.method);
  archive.Number(record.invocations);
  archive.List(record.sites, 3, [&](auto& site) {
    archive.Signed(site.bci);
    archive.Number(site.calls);
    archive.List(site.receivers, 2, [&](auto& receiver) {
      archive.Number(receiver.callee);
      archive.Number(receiver.calls);
    });
  });
  const bool has_before = CountedBefore(record);
  if (archive.More(record.interpreted != 0 || has_before)) archive.Number(record.interpreted);
  if (!archive.More(has_before)) return;
  archive.Number(record.invocations_before);
  archive.Number(record.interpreted_before);
  for (auto& site : record.sites) {
    archive.Number(site.before);
    for (auto& receiver : site.receivers) archive.Number(receiver.before);
  }
}

void Fields(auto& archive, A<EntryCounts> auto& record) {
  archive.List(record.gaps, 2, [&](auto& gap) {
    archive.Signed(gap.begin_ns);
    archive.Signed(gap.end_ns);
  });
  archive.List(record.counts, 5, [&](auto& count) {
    archive.Number(count.compilation);
    archive.Number(count.first_gap);
    archive.Number(count.end_gap);
    archive.Signed(count.part_ns);
    archive.Number(count.calls);
  });
  if (!archive.More(!record.uses.empty())) return;
  archive.List(record.uses, 2, [&](auto& use) {
    archive.Number(use.compilation);
    archive.Number(use.end_gap);
  });
}

void Fields(auto& archive, A<InterpretedCalls> auto& record) {
  archive.List(record.targets, 1, [&](auto& callees) {
    archive.List(callees, 1, [&](auto& callee) { archive.Number(callee); });
  });
  archive.List(record.methods, 6, [&](auto& method) {
    archive.Number(method.method);
    archive.Number(method.interpreted);
    archive.Number(method.loops);
    archive.Flag(method.has_uncounted);
    archive.List(method.sites, 3, [&](auto& site) {
      archive.Signed(site.bci);
      archive.Number(site.target);
      uint32_t place = (site.is_unconditional ? 1u : 0u) | (site.is_in_loop ? 2u : 0u) |
                       (site.is_certain ? 4u : 0u);
      archive.Number(place);
      if constexpr (std::remove_reference_t<decltype(archive)>::kReads) {
        site.is_unconditional = (place & 1) != 0;
        site.is_in_loop = (place & 2) != 0;
        site.is_certain = (place & 4) != 0;
      }
    });
    archive.List(method.initializations, 2, [&](auto& initialization) {
      archive.Signed(initialization.bci);
      archive.Number(initialization.initializer);
    });
  });
}

void Fields(auto& archive, A<ContextDefinition> auto& record) {
  archive.Number(record.id);
  archive.Number(record.parent);
  archive.Signed(record.bci);
  archive.Number(record.method);
  if (!archive.More(record.code != CodeLabel{})) return;
  uint32_t packed = record.code.Packed();
  archive.Number(packed);
  if constexpr (std::remove_reference_t<decltype(archive)>::kReads) {
    record.code = CodeLabel::FromPacked(packed);
  }
}

void Fields(auto& archive, A<ContextSamples> auto& record) {
  archive.Signed(record.start_ns);
  archive.Number(record.thread);
  NumberPairs(archive, record.samples);
}

void Fields(auto& archive, A<ContextCounts> auto& record) { NumberPairs(archive, record.calls); }

void Fields(auto& archive, A<EarlierCode> auto& record) {
  archive.Signed(record.compile_id);
  archive.Signed(record.level);
  archive.Flag(record.is_osr);
  archive.Text(record.class_name);
  archive.Text(record.name);
  archive.Text(record.descriptor);
  archive.Flag(record.is_of_boot_loader);
}

void Fields(auto& archive, A<OwnCompilation> auto& record) {
  archive.Number(record.method);
  archive.Signed(record.compile_id);
  archive.Signed(record.level);
  archive.Text(record.level_name);
  archive.Flag(record.is_osr);
  archive.Signed(record.osr_bci);
  archive.Flag(record.is_asked_by_vm);
  archive.Signed(record.start_ns);
  archive.Signed(record.end_ns);
  archive.Signed(record.cpu_ns);
  archive.Signed(record.bytecode_bytes);
  archive.Signed(record.code_bytes);
  archive.Text(record.failure);
}

void Fields(auto& archive, A<ControllerDecision> auto& record) {
  archive.Signed(record.time_ns);
  archive.Number(record.method);
  archive.Text(record.reason);
  archive.Flag(record.recompiles);
  archive.Signed(record.from);
  archive.Signed(record.to);
  archive.Signed(record.past_ns);
  archive.Signed(record.compile_ns);
  archive.Signed(record.future_ns);
  archive.Signed(record.bytes);
  archive.Number(record.milli_samples);
  archive.List(record.new_calls, 3, [&](auto& edge) {
    archive.Number(edge.caller);
    archive.Signed(edge.bci);
    archive.Number(edge.callee);
  });
}

void Fields(auto& archive, A<CompilerTimes> auto& record) {
  archive.Signed(record.time_ns);
  CpuTimes(archive, record.cpu_ns);
}

void Fields(auto& archive, A<Tick> auto& record) {
  archive.Number(record.tick);
  archive.Signed(record.begin_ns);
  archive.Signed(record.open_ns);
  archive.Signed(record.period_ns);
  archive.Signed(record.open_cpu_ns);
  archive.Signed(record.program_cpu_ns);
  if (archive.More(!record.thread_cpu_ns.empty())) CpuTimes(archive, record.thread_cpu_ns);
}

void Fields(auto& archive, A<ThreadTimes> auto& record) { CpuTimes(archive, record.cpu_ns); }

void Fields(auto& archive, A<TestBegin> auto& record) {
  archive.Number(record.test);
  archive.Signed(record.begin_ns);
  archive.Text(record.name);
}

void Fields(auto& archive, A<TestEnd> auto& record) {
  archive.Number(record.test);
  archive.Signed(record.end_ns);
}

void Fields(auto& archive, A<Reached> auto& record) {
  archive.List(record.tests, 1, [&](auto& test) { archive.Number(test); });
  archive.List(record.edges, 1, [&](auto& edge) { archive.Number(edge); });
}

void Fields(auto& archive, A<UnexecutedCalls> auto& record) {
  archive.List(record.calls, 5, [&](auto& call) {
    archive.Number(call.caller);
    archive.Signed(call.bci);
    archive.Text(call.class_name);
    archive.Text(call.name);
    archive.Text(call.descriptor);
  });
}

void Fields(auto& archive, A<Part> auto& record) {
  archive.Number(record.number);
  archive.Signed(record.begin_ns);
  archive.Signed(record.program_cpu_ns);
  archive.Signed(record.agent_cpu_ns);
  Totals(archive, record.drops);
  TextPairs(archive, record.costs);
}

}  // namespace yp::spool

#endif  // YP_FORMAT_SPOOL_RECORD_FIELDS_H_
