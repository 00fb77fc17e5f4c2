#include "tests/traces/sample_trace.h"

namespace paceline {
namespace {

class Builder {
 public:
  Builder() {
    trace_.text =
        "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": \"Device\"}\n  ],\n"
        "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8},\n"
        "  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1700000000000000000,\n  \"traceEvents\": "
        "[";
    trace_.events_begin = trace_.text.size();
  }

  void record(const std::string& fields) {
    trace_.text += trace_.record_ends.empty() ? "\n  {\n    " : ",\n  {\n    ";
    trace_.text += fields + "\n  }";
    trace_.record_ends.push_back(trace_.text.size());
  }

  SampleTrace finish() {
    trace_.text += "\n  ],\n  \"traceName\": \"sample.json\"\n}\n";
    return std::move(trace_);
  }

 private:
  SampleTrace trace_;
};

std::string slice(const std::string& category, const std::string& name, const std::string& row,
                  const std::string& time, const std::string& arguments) {
  return R"("ph": "X", "cat": ")" + category + R"(", "name": ")" + name + "\", " + row + ", " + time +
         ",\n    \"args\": {" + arguments + "}";
}

void add_step(Builder& builder, int step) {
  const std::string host = R"("pid": 100, "tid": 101)";
  const std::string stream = R"("pid": 0, "tid": 7)";
  const std::string number = std::to_string(step);
  const std::string correlation = std::to_string(500 + step);
  const std::string at = std::to_string(1000 * step);
  const std::string later = std::to_string(1000 * step + 20);
  builder.record(slice("user_annotation", "ProfilerStep#" + number, host,
                       "\"ts\": " + at + ".000, \"dur\": 900.125", ""));
  builder.record(
      slice("cpu_op", "aten::mm", host, "\"ts\": " + at + ".250, \"dur\": 30.500",
            R"("External id": 4, "Input Dims": [[2, 3], [3, 4]], "Call stack": "a {b} [c] \"d\" \\ é")"));
  builder.record(slice("cuda_runtime", "cudaLaunchKernel", host, "\"ts\": " + at + ".500, \"dur\": 5.125",
                       "\"correlation\": " + correlation));
  builder.record(slice("kernel", "gemm<float, 128>", stream, "\"ts\": " + later + ".001, \"dur\": 400.750",
                       "\"correlation\": " + correlation + R"(, "grid": [1, 2, 3], "occupancy": 0.25)"));
  builder.record(slice("kernel", "ncclDevKernel_AllReduce", R"("pid": 0, "tid": 20)",
                       "\"ts\": " + later + ".501, \"dur\": 500.000", R"("Comms Id": 10159970886766084423)"));
  builder.record(R"("ph": "s", "id": )" + correlation + ", " + host + ", \"ts\": " + at +
                 R"(.500, "cat": "ac2g", "name": "ac2g")");
  builder.record(R"("ph": "f", "id": )" + correlation + ", " + stream + ", \"ts\": " + later +
                 R"(.001, "cat": "ac2g", "name": "ac2g", "bp": "e")");
  builder.record(R"("ph": "i", "s": "t", "name": "[memory]", )" + host + ", \"ts\": " + later +
                 R"(.000, "args": {"Device Type": 1, "Device Id": 0, "Bytes": 8, "Total Allocated": 64})");
}

}  // namespace

SampleTrace sample_trace(int steps) {
  Builder builder;
  for (int step = 0; step < steps; ++step) add_step(builder, step);
  builder.record(R"("ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "GPU 0"})");
  builder.record(R"("ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7"})");
  return builder.finish();
}

std::string trace_of(const std::string& records) {
  return R"({"schemaVersion": 1, "baseTimeNanoseconds": 0, "traceEvents": [)" + records + "]}";
}

}  // namespace paceline
