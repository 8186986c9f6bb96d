#include "format/spool/record_codec.h"

#include <algorithm>
#include <utility>

namespace yp::spool {
namespace {

void EncodeEdge(const Edge& edge, Encoder* out) {
  out->Unsigned(ToIndex(edge.caller));
  out->Signed(edge.bci);
  out->Unsigned(ToIndex(edge.callee));
}

template <typename Id>
Id DecodeId(Decoder* in) {
  return static_cast<Id>(in->UnsignedOf<uint32_t>());
}

Config DecodeConfig(Decoder* in) {
  Config record;
  record.entries.resize(in->ListSize(2));
  for (auto& [key, value] : record.entries) {
    key = in->String();
    value = in->String();
  }
  return record;
}

MethodDefinition DecodeMethod(Decoder* in) {
  MethodDefinition record;
  record.id = DecodeId<MethodId>(in);
  Method& method = record.method;
  method.class_name = in->String();
  method.name = in->String();
  method.descriptor = in->String();
  method.source_file = in->String();
  method.flags = in->UnsignedOf<uint32_t>();
  method.lines.resize(in->ListSize(2));
  for (Method::Line& line : method.lines) {
    line.bci = in->UnsignedOf<uint16_t>();
    line.line = in->UnsignedOf<uint16_t>();
  }
  return record;
}

EdgeDefinition DecodeEdge(Decoder* in) {
  EdgeDefinition record;
  record.id = DecodeId<EdgeId>(in);
  record.edge.caller = DecodeId<MethodId>(in);
  record.edge.bci = in->Signed32();
  record.edge.callee = DecodeId<MethodId>(in);
  if (!in->empty()) record.steps = std::max<uint32_t>(1, in->UnsignedOf<uint32_t>());
  return record;
}

Counts DecodeCounts(Decoder* in) {
  Counts record;
  record.calls.resize(in->ListSize(2));
  for (auto& [edge, calls] : record.calls) {
    edge = DecodeId<EdgeId>(in);
    calls = in->Unsigned();
  }
  return record;
}

Window DecodeWindow(Decoder* in) {
  Window record;
  record.tick = in->Unsigned();
  record.thread = DecodeId<ThreadId>(in);
  record.start_ns = in->Signed();
  record.latency_ns = in->Signed();
  record.duration_ns = in->Signed();
  record.interval_ns = in->Signed();
  record.calls = in->Unsigned();
  record.samples.resize(in->ListSize(2));
  for (auto& [edge, samples] : record.samples) {
    edge = DecodeId<EdgeId>(in);
    samples = in->UnsignedOf<uint32_t>();
  }
  if (!in->empty()) record.near_calls = in->Unsigned();
  return record;
}

Drops DecodeDrops(Decoder* in) {
  Drops record;
  record.totals.resize(in->ListSize(2));
  for (auto& [reason, total] : record.totals) {
    reason = in->String();
    total = in->Unsigned();
  }
  return record;
}

ThreadDefinition DecodeThread(Decoder* in) {
  ThreadDefinition record;
  record.id = DecodeId<ThreadId>(in);
  record.name = in->String();
  if (!in->empty()) record.kernel_id = in->Signed32();
  return record;
}

End DecodeEnd(Decoder* in) {
  End record;
  record.end_ns = in->Signed();
  record.agent_cpu_ns = in->Signed();
  return record;
}

Compilation DecodeCompilation(Decoder* in) {
  Compilation record;
  record.id = DecodeId<CompilationId>(in);
  record.level = in->Signed32();
  record.is_osr = in->Unsigned() != 0;
  record.nodes.resize(in->ListSize(3));
  for (Compilation::Node& node : record.nodes) {
    node.parent = in->UnsignedOf<uint32_t>();
    node.bci = in->Signed32();
    node.method = DecodeId<MethodId>(in);
  }
  record.call_sites.resize(in->ListSize(2));
  for (Compilation::CallSite& site : record.call_sites) {
    site.node = in->UnsignedOf<uint32_t>();
    site.bci = in->Signed32();
  }
  if (!in->empty()) record.compile_id = in->Signed32();
  return record;
}

CompiledCall DecodeCompiledCall(Decoder* in) {
  CompiledCall record;
  record.id = DecodeId<CompiledCallId>(in);
  record.edge = DecodeId<EdgeId>(in);
  record.caller = DecodeId<CompilationId>(in);
  record.caller_node = in->UnsignedOf<uint32_t>();
  record.callee = DecodeId<CompilationId>(in);
  if (!in->empty()) record.is_caller_profiled = in->Unsigned() != 0;
  return record;
}

CompiledSamples DecodeCompiledSamples(Decoder* in) {
  CompiledSamples record;
  record.samples.resize(in->ListSize(2));
  for (auto& [call, samples] : record.samples) {
    call = DecodeId<CompiledCallId>(in);
    samples = in->UnsignedOf<uint32_t>();
  }
  if (!in->empty()) record.end_ns = in->Signed();
  if (!in->empty()) record.open_ns = in->Signed();
  return record;
}

// Whether anything was counted before the recording began.
bool CountedBefore(const MethodProfile& record) {
  return record.invocations_before != 0 || record.interpreted_before != 0 ||
         std::ranges::any_of(record.sites, [](const MethodProfile::Site& site) {
           return site.before != 0 ||
                  std::ranges::any_of(site.receivers, [](const MethodProfile::Receiver& receiver) {
                    return receiver.before != 0;
                  });
         });
}

MethodProfile DecodeMethodProfile(Decoder* in) {
  MethodProfile record;
  record.method = DecodeId<MethodId>(in);
  record.invocations = in->Unsigned();
  record.sites.resize(in->ListSize(3));
  for (MethodProfile::Site& site : record.sites) {
    site.bci = in->Signed32();
    site.calls = in->Unsigned();
    site.receivers.resize(in->ListSize(2));
    for (MethodProfile::Receiver& receiver : site.receivers) {
      receiver.callee = DecodeId<MethodId>(in);
      receiver.calls = in->Unsigned();
    }
  }
  if (!in->empty()) record.interpreted = in->Unsigned();
  if (in->empty()) return record;
  record.invocations_before = in->Unsigned();
  record.interpreted_before = in->Unsigned();
  for (MethodProfile::Site& site : record.sites) {
    site.before = in->Unsigned();
    for (MethodProfile::Receiver& receiver : site.receivers) receiver.before = in->Unsigned();
  }
  return record;
}

EarlierCode DecodeEarlierCode(Decoder* in) {
  EarlierCode record;
  record.compile_id = in->Signed32();
  record.level = in->Signed32();
  record.is_osr = in->Unsigned() != 0;
  record.class_name = in->String();
  record.name = in->String();
  record.descriptor = in->String();
  record.is_of_boot_loader = in->Unsigned() != 0;
  return record;
}

using CpuByThread = std::vector<std::pair<int32_t, int64_t>>;

CpuByThread DecodeCpuByThread(Decoder* in) {
  CpuByThread threads(in->ListSize(2));
  for (auto& [thread, cpu_ns] : threads) {
    thread = in->Signed32();
    cpu_ns = in->Signed();
  }
  return threads;
}

void EncodeCpuByThread(const CpuByThread& threads, Encoder* out) {
  out->Unsigned(threads.size());
  for (const auto& [thread, cpu_ns] : threads) {
    out->Signed(thread);
    out->Signed(cpu_ns);
  }
}

CompilerTimes DecodeCompilerTimes(Decoder* in) {
  CompilerTimes record;
  record.time_ns = in->Signed();
  record.cpu_ns = DecodeCpuByThread(in);
  return record;
}

Tick DecodeTick(Decoder* in) {
  Tick record;
  record.tick = in->Unsigned();
  record.begin_ns = in->Signed();
  record.open_ns = in->Signed();
  record.period_ns = in->Signed();
  record.open_cpu_ns = in->Signed();
  record.program_cpu_ns = in->Signed();
  if (!in->empty()) record.thread_cpu_ns = DecodeCpuByThread(in);
  return record;
}

Part DecodePart(Decoder* in) {
  Part record;
  record.number = in->UnsignedOf<uint32_t>();
  record.begin_ns = in->Signed();
  record.program_cpu_ns = in->Signed();
  record.agent_cpu_ns = in->Signed();
  record.drops = DecodeDrops(in).totals;
  record.costs = DecodeConfig(in).entries;
  return record;
}

ThreadTimes DecodeThreadTimes(Decoder* in) { return {DecodeCpuByThread(in)}; }

ContextDefinition DecodeContext(Decoder* in) {
  ContextDefinition record;
  record.id = DecodeId<ContextId>(in);
  record.parent = DecodeId<ContextId>(in);
  record.bci = in->Signed32();
  record.method = DecodeId<MethodId>(in);
  if (!in->empty()) record.code = CodeLabel::FromPacked(in->UnsignedOf<uint32_t>());
  return record;
}

ContextSamples DecodeContextSamples(Decoder* in) {
  ContextSamples record;
  record.start_ns = in->Signed();
  record.thread = DecodeId<ThreadId>(in);
  record.samples.resize(in->ListSize(2));
  for (auto& [context, samples] : record.samples) {
    context = DecodeId<ContextId>(in);
    samples = in->UnsignedOf<uint32_t>();
  }
  return record;
}

ContextCounts DecodeContextCounts(Decoder* in) {
  ContextCounts record;
  record.calls.resize(in->ListSize(2));
  for (auto& [context, calls] : record.calls) {
    context = DecodeId<ContextId>(in);
    calls = in->Unsigned();
  }
  return record;
}

std::optional<Record> Decode(RecordType type, Decoder* in) {
  switch (type) {
    case RecordType::kConfig:
      return DecodeConfig(in);
    case RecordType::kMethodDefinition:
      return DecodeMethod(in);
    case RecordType::kEdgeDefinition:
      return DecodeEdge(in);
    case RecordType::kCounts:
      return DecodeCounts(in);
    case RecordType::kWindow:
      return DecodeWindow(in);
    case RecordType::kDrops:
      return DecodeDrops(in);
    case RecordType::kThreadDefinition:
      return DecodeThread(in);
    case RecordType::kEnd:
      return DecodeEnd(in);
    case RecordType::kCompilation:
      return DecodeCompilation(in);
    case RecordType::kCompiledCall:
      return DecodeCompiledCall(in);
    case RecordType::kCompiledSamples:
      return DecodeCompiledSamples(in);
    case RecordType::kMethodProfile:
      return DecodeMethodProfile(in);
    case RecordType::kContextDefinition:
      return DecodeContext(in);
    case RecordType::kContextSamples:
      return DecodeContextSamples(in);
    case RecordType::kContextCounts:
      return DecodeContextCounts(in);
    case RecordType::kEarlierCode:
      return DecodeEarlierCode(in);
    case RecordType::kCompilerTimes:
      return DecodeCompilerTimes(in);
    case RecordType::kTick:
      return DecodeTick(in);
    case RecordType::kPart:
      return DecodePart(in);
    case RecordType::kThreadTimes:
      return DecodeThreadTimes(in);
  }
  return std::nullopt;
}

}  // namespace

void EncodeBody(const Config& record, Encoder* out) {
  out->Unsigned(record.entries.size());
  for (const auto& [key, value] : record.entries) {
    out->String(key);
    out->String(value);
  }
}

void EncodeBody(const MethodDefinition& record, Encoder* out) {
  const Method& method = record.method;
  out->Unsigned(ToIndex(record.id));
  out->String(method.class_name);
  out->String(method.name);
  out->String(method.descriptor);
  out->String(method.source_file);
  out->Unsigned(method.flags);
  out->Unsigned(method.lines.size());
  for (const Method::Line& line : method.lines) {
    out->Unsigned(line.bci);
    out->Unsigned(line.line);
  }
}

void EncodeBody(const EdgeDefinition& record, Encoder* out) {
  out->Unsigned(ToIndex(record.id));
  EncodeEdge(record.edge, out);
  if (record.steps != 1) out->Unsigned(record.steps);
}

void EncodeBody(const Counts& record, Encoder* out) {
  out->Unsigned(record.calls.size());
  for (const auto& [edge, calls] : record.calls) {
    out->Unsigned(ToIndex(edge));
    out->Unsigned(calls);
  }
}

void EncodeBody(const Window& record, Encoder* out) {
  out->Unsigned(record.tick);
  out->Unsigned(ToIndex(record.thread));
  out->Signed(record.start_ns);
  out->Signed(record.latency_ns);
  out->Signed(record.duration_ns);
  out->Signed(record.interval_ns);
  out->Unsigned(record.calls);
  out->Unsigned(record.samples.size());
  for (const auto& [edge, samples] : record.samples) {
    out->Unsigned(ToIndex(edge));
    out->Unsigned(samples);
  }
  if (record.near_calls != 0) out->Unsigned(record.near_calls);
}

void EncodeBody(const Drops& record, Encoder* out) {
  out->Unsigned(record.totals.size());
  for (const auto& [reason, total] : record.totals) {
    out->String(reason);
    out->Unsigned(total);
  }
}

void EncodeBody(const ThreadDefinition& record, Encoder* out) {
  out->Unsigned(ToIndex(record.id));
  out->String(record.name);
  if (record.kernel_id != 0) out->Signed(record.kernel_id);
}

void EncodeBody(const End& record, Encoder* out) {
  out->Signed(record.end_ns);
  out->Signed(record.agent_cpu_ns);
}

void EncodeBody(const Compilation& record, Encoder* out) {
  out->Unsigned(ToIndex(record.id));
  out->Signed(record.level);
  out->Unsigned(record.is_osr ? 1 : 0);
  out->Unsigned(record.nodes.size());
  for (const Compilation::Node& node : record.nodes) {
    out->Unsigned(node.parent);
    out->Signed(node.bci);
    out->Unsigned(ToIndex(node.method));
  }
  out->Unsigned(record.call_sites.size());
  for (const Compilation::CallSite& site : record.call_sites) {
    out->Unsigned(site.node);
    out->Signed(site.bci);
  }
  if (record.compile_id != 0) out->Signed(record.compile_id);
}

void EncodeBody(const CompiledCall& record, Encoder* out) {
  out->Unsigned(ToIndex(record.id));
  out->Unsigned(ToIndex(record.edge));
  out->Unsigned(ToIndex(record.caller));
  out->Unsigned(record.caller_node);
  out->Unsigned(ToIndex(record.callee));
  if (record.is_caller_profiled) out->Unsigned(1);
}

void EncodeBody(const CompiledSamples& record, Encoder* out) {
  out->Unsigned(record.samples.size());
  for (const auto& [call, samples] : record.samples) {
    out->Unsigned(ToIndex(call));
    out->Unsigned(samples);
  }
  if (record.end_ns == 0) return;
  out->Signed(record.end_ns);
  out->Signed(record.open_ns);
}

void EncodeBody(const MethodProfile& record, Encoder* out) {
  out->Unsigned(ToIndex(record.method));
  out->Unsigned(record.invocations);
  out->Unsigned(record.sites.size());
  for (const MethodProfile::Site& site : record.sites) {
    out->Signed(site.bci);
    out->Unsigned(site.calls);
    out->Unsigned(site.receivers.size());
    for (const MethodProfile::Receiver& receiver : site.receivers) {
      out->Unsigned(ToIndex(receiver.callee));
      out->Unsigned(receiver.calls);
    }
  }
  const bool has_before = CountedBefore(record);
  if (record.interpreted != 0 || has_before) out->Unsigned(record.interpreted);
  if (!has_before) return;
  out->Unsigned(record.invocations_before);
  out->Unsigned(record.interpreted_before);
  for (const MethodProfile::Site& site : record.sites) {
    out->Unsigned(site.before);
    for (const MethodProfile::Receiver& receiver : site.receivers) out->Unsigned(receiver.before);
  }
}

void EncodeBody(const EarlierCode& record, Encoder* out) {
  out->Signed(record.compile_id);
  out->Signed(record.level);
  out->Unsigned(record.is_osr ? 1 : 0);
  out->String(record.class_name);
  out->String(record.name);
  out->String(record.descriptor);
  out->Unsigned(record.is_of_boot_loader ? 1 : 0);
}

void EncodeBody(const CompilerTimes& record, Encoder* out) {
  out->Signed(record.time_ns);
  EncodeCpuByThread(record.cpu_ns, out);
}

void EncodeBody(const Tick& record, Encoder* out) {
  out->Unsigned(record.tick);
  out->Signed(record.begin_ns);
  out->Signed(record.open_ns);
  out->Signed(record.period_ns);
  out->Signed(record.open_cpu_ns);
  out->Signed(record.program_cpu_ns);
  if (!record.thread_cpu_ns.empty()) EncodeCpuByThread(record.thread_cpu_ns, out);
}

void EncodeBody(const Part& record, Encoder* out) {
  out->Unsigned(record.number);
  out->Signed(record.begin_ns);
  out->Signed(record.program_cpu_ns);
  out->Signed(record.agent_cpu_ns);
  EncodeBody(Drops{record.drops}, out);
  EncodeBody(Config{record.costs}, out);
}

void EncodeBody(const ThreadTimes& record, Encoder* out) { EncodeCpuByThread(record.cpu_ns, out); }

void EncodeBody(const ContextDefinition& record, Encoder* out) {
  out->Unsigned(ToIndex(record.id));
  out->Unsigned(ToIndex(record.parent));
  out->Signed(record.bci);
  out->Unsigned(ToIndex(record.method));
  if (record.code != CodeLabel{}) out->Unsigned(record.code.Packed());
}

void EncodeBody(const ContextSamples& record, Encoder* out) {
  out->Signed(record.start_ns);
  out->Unsigned(ToIndex(record.thread));
  out->Unsigned(record.samples.size());
  for (const auto& [context, samples] : record.samples) {
    out->Unsigned(ToIndex(context));
    out->Unsigned(samples);
  }
}

void EncodeBody(const ContextCounts& record, Encoder* out) {
  out->Unsigned(record.calls.size());
  for (const auto& [context, calls] : record.calls) {
    out->Unsigned(ToIndex(context));
    out->Unsigned(calls);
  }
}

std::optional<Record> DecodeBody(RecordType type, std::span<const uint8_t> body) {
  Decoder in(body);
  std::optional<Record> record = Decode(type, &in);
  if (!in.ok()) return std::nullopt;
  return record;
}

}  // namespace yp::spool
