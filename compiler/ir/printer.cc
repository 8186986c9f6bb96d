#include "compiler/ir/printer.h"

#include <array>

namespace yp::compiler::ir {
namespace {

constexpr std::array kNames = {"constant",
                               "object",
                               "materialized",
                               "parameter",
                               "osr_local",
                               "phi",
                               "add",
                               "sub",
                               "mul",
                               "div",
                               "rem",
                               "neg",
                               "shl",
                               "shr",
                               "ushr",
                               "and",
                               "or",
                               "xor",
                               "multiply_high",
                               "convert",
                               "square_root",
                               "absolute",
                               "leaf_value",
                               "bits",
                               "narrow",
                               "compare",
                               "holds",
                               "array_length",
                               "get_class",
                               "instance_of",
                               "has_finalizer",
                               "is_instance_of",
                               "current_thread",
                               "load_place",
                               "compare_and_set",
                               "copy_array",
                               "leaf_call",
                               "load_field",
                               "load_element",
                               "load_vector",
                               "broadcast",
                               "new",
                               "new_array",
                               "new_multi",
                               "call",
                               "exception",
                               "osr_end",
                               "store_field",
                               "store_element",
                               "store_vector",
                               "store_place",
                               "monitor_enter",
                               "monitor_exit",
                               "register_finalizer",
                               "poll",
                               "yieldpoint",
                               "null_check",
                               "bounds_check",
                               "zero_check",
                               "negative_check",
                               "init_check",
                               "cast_check",
                               "store_check",
                               "post_check",
                               "limit_check",
                               "goto",
                               "if",
                               "if-instance",
                               "guard",
                               "try",
                               "switch",
                               "return",
                               "unwind",
                               "trap"};
static_assert(kNames.size() == static_cast<size_t>(Op::kTrap) + 1);

constexpr std::array kKindNames = {"", "int", "long", "float", "double", "reference", "", "vector"};
constexpr std::array kConditionNames = {"==", "!=", "<", ">=", ">", "<="};

std::string ValueName(const Node* node) {
  if (node == nullptr) return "-";
  if (IsConstant(node)) return std::to_string(node->bits);
  if (node->op == Op::kObject) {
    return "object " + std::to_string(static_cast<uint32_t>(node->constant));
  }
  return "v" + std::to_string(node->id);
}

std::string Line(const Node& node) {
  std::string text = "  ";
  if (node.kind != Kind::kDead) text += ValueName(&node) + " = ";
  text += NameOf(node.op);
  if (node.kind != Kind::kDead) {
    text += std::string(" ") + kKindNames[static_cast<size_t>(node.kind)];
  }
  if (node.type != 0) text += std::string(" ") + node.type;
  for (size_t i = 0; i < node.in.size(); ++i) {
    if (i == 1 && node.op == Op::kIf) {
      text += std::string(" ") + kConditionNames[static_cast<size_t>(node.condition)];
    } else if (i > 0) {
      text += ',';
    }
    text += " " + ValueName(node.in[i]);
  }
  return text;
}

}  // namespace

const char* NameOf(Op op) { return kNames[static_cast<size_t>(op)]; }

std::string Print(const Graph& graph) {
  std::string text;
  for (const Block* const block : graph.order) {
    text += "block " + std::to_string(block->id);
    for (const Block* const pred : block->preds) text += " <" + std::to_string(pred->id);
    for (const Block* const succ : block->succs) text += " >" + std::to_string(succ->id);
    if (block->loop_depth > 0) text += " loop " + std::to_string(block->loop->id);
    text += '\n';
    for (const Node* const phi : block->phis) text += Line(*phi) + '\n';
    for (const Node* const node : block->nodes) text += Line(*node) + '\n';
  }
  return text;
}

}  // namespace yp::compiler::ir
