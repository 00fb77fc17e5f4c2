#include "tests/fuzz/fuzz_seeds.h"

#include "base/profile.h"

namespace paceline {

std::string seed_profile() {
  const Measurement time{Seconds(1e-3), Seconds(1e-5), Seconds(9e-4), Seconds(1.1e-3), 25, false};
  Profile profile;
  profile.device = "Device \"A\"";
  profile.backend = "cpu";
  profile.date = "2026-01-31T12:00:00Z";
  profile.host = "host";
  profile.notes = {"a note"};
  profile.gemms.push_back({"fp32", 128, 256, 512, 1, time});
  profile.memory.push_back({"triad", Bytes(1e9), time});
  profile.copies.push_back({"host_to_host", false, Bytes(1e6), time});
  profile.collectives.push_back({"all_reduce", "shared memory ring", 4, 1, Bytes(1e6), time});
  profile.launches.push_back({"operator", time});
  return to_json(profile);
}

std::string seed_json() {
  return R"({"format": "paceline/study-1", "name": "a\u00e9\n", "sizes": [1, 2.5, -3e2, "25MiB", "400 Gb/s", null],
  "nested": {"kind": "ring", "on": true, "deeper": [[{"x": []}], {}]}, "_comment": "none"})";
}

std::string seed_nccl_tests() {
  return "+ mpirun -np 2 ./all_reduce_perf -b 8 -g 1\n"
         "[1,0]<stdout>:# nccl-tests version 2.17.6 nccl-headers=22707 nccl-library=22707\n"
         "[1,0]<stdout>:# nThread 1 nGpus 1 minBytes 8 maxBytes 64 step: 2(factor) iters: 20 graph: 0\n"
         "[1,0]<stdout>:#  Rank  0 Group  0 Pid   10 on node1 device  0 [0000:01:00] NVIDIA A100-SXM4-80GB\n"
         "[1,0]<stdout>:#  Rank  1 Group  0 Pid   11 on node2 device  0 [0000:01:00] NVIDIA A100-SXM4-80GB\n"
         "[1,1]<stdout>:node2:11:12 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>\n"
         "[1,1]<stdout>:node2:11:12 [0] NCCL INFO NET/IB: [1] mlx5_1:uverbs1:1/IB speed=400000 ar=0\n"
         "[1,1]<stdout>:node2:11:12 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA\n"
         "[1,1]<stdout>:node2:11:12 [0] NCCL INFO NCCL_ALGO set by environment to Ring.\n"
         "[1,0]<stdout>:       1024   256  float  sum  -1   10.0   0.10   0.10  0   10.0   0.10   0.10  0\n"
         "[1,0]<stdout>:    1048576  262144 float  sum  -1node1:10:12 [0] NCCL INFO comm 0x1 rank 0 nranks "
         "2\n"
         "[1,0]<stdout>:   100.0  10.49  10.49  0   99.0  10.59  10.59  0\n"
         "[1,0]<stdout>:    2097152  524288 float  sum  -1  190.0  11.04  11.04  0  N/A  N/A  N/A  N/A\n"
         "[1,0]<stdout>:|     4MB |   11.05GBps |   11.05GBps |\n"
         "[1,0]<stdout>:# Out of bounds values : 0 OK\n[1,0]<stdout>:# Avg bus bandwidth    : 7.3\n";
}

std::string seed_nccl_tests_json() {
  std::string rows;
  for (const char* size : {"8", "16", "32", "64"})
    rows += std::string(rows.empty() ? "" : ",") + "{\"size\":" + size +
            ",\"type\":\"float\",\"redop\":\"sum\",\"out_of_place\":{\"time\":9.5,\"alg_bw\":0.0,\"nwrong\":"
            "\"0\"}}";
  return "{\"args\":[\"all_reduce_perf\"],\"env\":[\"NCCL_ALGO=Ring\"],\"config\":{\"nthreads\":1,\"ngpus\":"
         "2},\"devices\":["
         "{\"rank\":0,\"hostname\":\"a\"},{\"rank\":1,\"hostname\":\"a\"}],\"results\":[" +
         rows + "]}";
}

std::string seed_topo() {
  return "\x1b[4m\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tCPU Affinity\tNUMA Affinity\x1b[0m\n"
         "GPU0\t X \tNV4\tNV2\tNV2\tPXB\t0-23\t0\n"
         "GPU1\tNV4\t X \tNV2\tNV2\tPXB\t0-23\t0\n"
         "GPU2\tNV2\tNV2\t X \tNV4\tSYS\t24-47\t1\n"
         "GPU3\tNV2\tNV2\tNV4\t X \tSYS\t24-47\t1\n"
         "NIC0\tPXB\tPXB\tSYS\tSYS\t X \n\nNIC Legend:\n\n  NIC0: mlx5_0\n";
}

std::string seed_hugging_face() {
  return R"({"model_type": "deepseek_v3", "attention_bias": false, "first_k_dense_replace": 1, "hidden_size": 64,
  "intermediate_size": 128, "kv_lora_rank": 16, "max_position_embeddings": 128, "moe_intermediate_size": 32,
  "n_routed_experts": 8, "n_shared_experts": 1, "num_attention_heads": 4, "num_experts_per_tok": 2,
  "num_hidden_layers": 3, "q_lora_rank": null, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8,
  "tie_word_embeddings": false, "v_head_dim": 16, "vocab_size": 1000, "rope_scaling": {"factor": 40}})";
}

}  // namespace paceline
