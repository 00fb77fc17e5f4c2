#include "sim/cost/gradient_hook.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace paceline {
namespace {

[[noreturn]] void refuse(const StepRequest& request, const std::string& expected, const std::string& remedy) {
  const auto hook = static_cast<std::size_t>(request.strategy.hook);
  throw InputError("hook", fmt::format("\"{}\"", hook_names()[hook]), expected, remedy);
}

// A weight lies with its first dimension outermost: outputs before inputs, words before width.
MatrixShape weight_shape(const Model& model, const Layer& layer) {
  if (const auto* linear = std::get_if<Linear>(&layer.work))
    return {static_cast<double>(linear->outputs), static_cast<double>(linear->inputs)};
  if (const auto* conv = std::get_if<Convolution>(&layer.work)) {
    const auto outputs = static_cast<double>(conv->output_channels);
    return {outputs, conv->weights() / outputs};
  }
  if (const auto* recurrent = std::get_if<Recurrent>(&layer.work))
    return {static_cast<double>(recurrent->gates * recurrent->hidden),
            static_cast<double>(recurrent->hidden)};
  const auto* traffic = std::get_if<Traffic>(&layer.work);
  if (!traffic || traffic->what != "embedding" || model.blocks.empty()) return {};
  return {0, static_cast<double>(model.blocks.front().hidden)};  // as many rows as it has
}

// Cast (4 B read, 2 written), divided in place (2 and 2), cast back after the all-reduce (2 and 4).
HookWork cast_to_half(const StepRequest& request, const Bucket& bucket, double element_bytes) {
  if (element_bytes < 4)
    refuse(request, "gradients of 32 bits: the framework reduces 16 bits already", "remove it");
  const KernelCost& kernels = request.kernels;
  HookWork work;
  work.before = kernels.streaming("bucket to 16 bits", bucket.bytes * 2.5);
  work.borrowed = bucket.bytes / 2;
  work.parts = {{bucket.bytes / 2, kernels.streaming("bucket from 16 bits", bucket.bytes * 1.5)}};
  return work;
}

struct Factors {
  double compressed = 0, rest = 0;  // elements of matrices that are compressed, and of all the others
  double first = 0, second = 0;     // elements of the two factors
  double operators = 0;             // of the orthogonalisation, matrices of a shape together
};

Factors factors_of(const StepRequest& request, const Bucket& bucket, const PowerSgdRules& rules) {
  const std::vector<MatrixShape> shapes = matrix_shapes(request.model);
  Factors result;
  std::set<MatrixShape> different;
  for (const std::size_t parameter : bucket.parameters) {
    const MatrixShape& shape = shapes[parameter];
    const auto elements = static_cast<double>(request.model.parameters[parameter].elements);
    const double rank =
        std::min({shape.rows, shape.columns, static_cast<double>(request.strategy.hook_rank)});
    if (rank * (shape.rows + shape.columns) * rules.minimum_rate >= elements || rank < 1) {
      result.rest += elements;
      continue;
    }
    result.compressed += elements;
    result.first += rank * shape.rows;
    result.second += rank * shape.columns;
    if (different.insert(shape).second)
      result.operators += rank * rules.column_operators + rank * (rank - 1) / 2 * rules.projection_operators;
  }
  return result;
}

// The rest as it is; the first factor, orthogonalised; the second one, and the matrix from both. The passes
// over a bucket stream; the products read a matrix once whatever the rank, which is small. Orthogonalising
// waits for the launches of its tiny kernels.
HookWork power_sgd(const StepRequest& request, const Bucket& bucket, double element_bytes) {
  if (!request.framework.power_sgd)
    refuse(request, fmt::format("a hook that \"{}\" is known to have", request.framework.name),
           "choose framework \"pytorch\"");
  for (const Layer& layer : request.model.layers)
    if (std::holds_alternative<ExpertLinear>(layer.work))
      refuse(request, "a model without experts, whose matrices it would see one by one", "remove it");
  const PowerSgdRules& rules = *request.framework.power_sgd;
  const Factors factors = factors_of(request, bucket, rules);
  const Bytes compressed(factors.compressed * element_bytes);
  HookWork work;
  work.kept = bucket.bytes + Bytes((factors.first + factors.second) * element_bytes);
  work.borrowed = compressed;
  work.before = request.kernels.streaming("bucket to first factor", compressed * rules.passes_before);
  if (factors.rest > 0) work.parts.push_back({Bytes(factors.rest * element_bytes), std::nullopt});
  if (factors.compressed == 0) return work;
  Kernel orthogonal = request.kernels.streaming("orthogonalisation", Bytes(0));
  orthogonal.time = request.framework.host.backward_operator * factors.operators;
  work.parts.push_back({Bytes(factors.first * element_bytes), orthogonal});
  work.parts.push_back({Bytes(factors.second * element_bytes),
                        request.kernels.streaming("factors to bucket", compressed * rules.passes_after)});
  return work;
}

}  // namespace

std::vector<MatrixShape> matrix_shapes(const Model& model) {
  std::vector<MatrixShape> shapes(model.parameters.size());
  for (const Layer& layer : model.layers) {
    const MatrixShape shape = weight_shape(model, layer);
    for (const std::size_t parameter : layer.parameters) {
      const auto elements = static_cast<double>(model.parameters[parameter].elements);
      if (shape.rows == 0 && shape.columns > 0 && elements > shape.columns)
        shapes[parameter] = {elements / shape.columns, shape.columns};
      else if (shape.rows > 0 && elements == shape.rows * shape.columns)
        shapes[parameter] = shape;
    }
  }
  return shapes;
}

HookWork hook_work(const StepRequest& request, const Bucket& bucket, double element_bytes) {
  switch (request.strategy.hook) {
    case GradientHook::none:
      break;
    case GradientHook::fp16:
    case GradientHook::bf16:
      return cast_to_half(request, bucket, element_bytes);
    case GradientHook::power_sgd:
      return power_sgd(request, bucket, element_bytes);
  }
  HookWork plain;
  plain.parts = {{bucket.bytes, std::nullopt}};
  return plain;
}

}  // namespace paceline
