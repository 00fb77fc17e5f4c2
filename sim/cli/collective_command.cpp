#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "sim/cli/commands.h"
#include "sim/study/collective_sweep.h"

namespace paceline::cli {
namespace {

// As nccl-tests names them; its flags that only steer a measurement are taken and do nothing.
struct Options {
  std::string kind, cluster, first = "32M", last = "32M", step = "1M", type = "float", redop = "sum";
  std::string library = "nccl", json, profile, style;
  double factor = 0;
  int nodes = 1, devices = 0, gpus = 0, threads = 0, root = 0, graph = 0, aggregated = 1, ignored = 0;
  std::vector<std::string> environment;
};

LaunchStyle style_of(const Options& options) {
  if (const auto style = launch_style(options.style)) return *style;
  if (options.graph > 0) return LaunchStyle::graph;
  return options.gpus > 1 ? LaunchStyle::one_process : LaunchStyle::process_per_device;
}

void set_variables(const Options& options, CollectiveSweep& sweep) {
  for (const std::string& setting : options.environment) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    if (equals == std::string::npos ||
        !set_environment(sweep.settings, sweep.kind, name, setting.substr(equals + 1)))
      throw InputError(
          "--env", fmt::format("\"{}\"", setting),
          "NCCL_ALGO, NCCL_PROTO, NCCL_MIN_NCHANNELS, NCCL_MAX_NCHANNELS, NCCL_NVLS_ENABLE, "
          "NCCL_COLLNET_ENABLE, NCCL_P2P_DISABLE, NCCL_P2P_LEVEL or NCCL_IB_DISABLE with a value",
          "leave it out: it does not change the prediction");
  }
}

CollectiveSweep sweep_of(const Options& options) {
  CollectiveSweep sweep;
  const auto kind = collective_kind(options.kind);
  if (!kind) {
    std::string names;
    for (const std::string& name : collective_names()) names += (names.empty() ? "" : ", ") + name;
    throw InputError("COLLECTIVE", fmt::format("\"{}\"", options.kind), names, "choose one of them");
  }
  sweep.kind = *kind;
  const auto type = data_type(options.type);
  if (!type)
    throw InputError("-d", fmt::format("\"{}\"", options.type),
                     "a type such as float, half, bfloat16 or int8", "choose one of them");
  sweep.settings.type = *type;
  const auto library = parse_library(options.library);
  if (!library)
    throw InputError("--library", fmt::format("\"{}\"", options.library),
                     "nccl, rccl, oneccl, gloo or mpi, with a version where it is known (\"nccl 2.27.7\")",
                     "choose one of them");
  sweep.settings.library = *library;
  sweep.settings.style = style_of(options);
  sweep.cluster = options.cluster;
  sweep.nodes = options.nodes;
  if (options.devices > 0)
    sweep.devices = options.devices;
  else if (options.gpus > 0 || options.threads > 0)
    sweep.devices = std::max(options.gpus, 1) * std::max(options.threads, 1);
  sweep.sizes = {parse_test_size(options.first, "-b"),
                 parse_test_size(options.last, "-e"),
                 parse_test_size(options.step, "-i"),
                 {}};
  if (options.factor != 0) sweep.sizes.factor = options.factor;
  sweep.redop = options.redop;
  sweep.root = options.root;
  sweep.aggregated = options.aggregated;
  set_variables(options, sweep);
  return sweep;
}

void run(const Options& options, const CommonOptions& common) {
  if (!options.json.empty()) check_output(options.json);
  const Catalog catalog = Catalog::load(find_data_folder(common.data_folder));
  const CollectiveSweep sweep = sweep_of(options);
  const Profile profile = options.profile.empty() ? Profile{} : read_profile(options.profile);
  const SweepResult result = sweep_collective(catalog, sweep, options.profile.empty() ? nullptr : &profile);
  if (!options.json.empty()) write_output(options.json, sweep_json(result));
  if (options.json != "-") fmt::print("{}", sweep_text(result));
}

void add_test_flags(CLI::App& command, Options& options) {
  command.add_option("-b,--minbytes", options.first, "smallest size (32M)");
  command.add_option("-e,--maxbytes", options.last, "largest size (32M)");
  command.add_option("-i,--stepbytes", options.step, "step between sizes (1M)");
  command.add_option("-f,--stepfactor", options.factor, "factor between sizes, in place of -i");
  command.add_option("-g,--ngpus", options.gpus,
                     "devices that one thread drives; above 1: one process for all");
  command.add_option("-t,--nthreads", options.threads, "threads of a process, each with -g devices");
  command.add_option("-d,--datatype", options.type, "float, half, bfloat16, int8, ...");
  command.add_option("-o,--op", options.redop, "reduction that the table names (sum)");
  command.add_option("-r,--root", options.root, "root that the table names (0)");
  command.add_option("-m,--agg_iters", options.aggregated, "operations in one group call (1)")
      ->check(CLI::Range(1, 1024));
  command.add_option("-G,--cudagraph", options.graph, "captured in a CUDA graph, that many times");
  for (const char* flag : {"-n,--iters", "-w,--warmup_iters", "-c,--check", "-p,--parallel_init",
                           "-z,--blocking", "-a,--average", "-C,--report_cputime", "-T,--timeout"})
    command.add_option(flag, options.ignored, "of nccl-tests; a prediction needs none")->group("");
}

}  // namespace

void add_collective(CLI::App& app, const CommonOptions& common, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("collective", "predict a table of nccl-tests: time and bandwidth by message size");
  command->add_option("COLLECTIVE", options->kind, "all_reduce, all_gather, alltoall, ...")->required();
  command->add_option("--cluster", options->cluster, "cluster of the catalog")->required();
  command->add_option("--nodes", options->nodes, "nodes (1)");
  command->add_option("--devices", options->devices, "devices of each node (all)");
  command->add_option("--library", options->library,
                      "nccl (default), rccl, gloo, mpi; with a version: \"nccl 2.27.7\"");
  command->add_option("--env", options->environment, "variable of the library, NCCL_ALGO=Ring; repeatable");
  command->add_option("--style", options->style, "who launches")->check(CLI::IsMember(launch_style_names()));
  command->add_option("--profile", options->profile, "measurements that bend the curves");
  command->add_option("--json", options->json, "write the rows as JSON; - for standard output");
  add_test_flags(*command, *options);
  command->callback([options, &common] { run(*options, common); });
}

}  // namespace paceline::cli
