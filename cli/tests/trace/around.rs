//! Looking around something: found, too few of them, none at all.

use crate::common::{KIP_101, Lab};
use crate::refused;

#[test]
fn the_nth_is_found() {
    let lab = Lab::new();
    for (nth, at, from) in [("1", "20.000 s", "19.950 s"), ("3", "40.000 s", "39.950 s")] {
        let args = ["trace", "kafka-4485", "--around", "isr-shrink", "--nth", nth];
        lab.run(&args)
            .code(0)
            .err_has(&format!("note: isr-shrink {nth} is at {at}"))
            .out_has(&format!("from {from} to"));
    }
    let args = ["trace", "kafka-4485", "--around", "isr-expand", "--window", "0s"];
    lab.run(&args).code(0).out_has("from 20.030 s to 20.030 s").out_has(" isr-expand ");
    let args = ["trace", "kafka-4485", "--around", "fault", "--nth", "2", "--window", "1ms"];
    lab.run(&args).code(0).out_has("f3-pause begins").out_has("from 9.999 s to 10.001 s");
    let args = ["trace", "timestamps-failover", "--around", "election"];
    lab.run(&args).code(0).out_has(" elected ");
}

#[test]
fn filters_hold_for_what_is_looked_for() {
    let lab = Lab::new();
    let shrink = ["kafka-4485", "--around", "isr-shrink", "--broker"];
    let of_3: Vec<&str> = shrink.into_iter().chain(["3"]).collect();
    refused(
        &lab,
        4,
        &of_3,
        "error: --around isr-shrink: there is none of broker 3 under pre-4485 with seed 1",
    );
    let of_2 = ["trace", "kafka-4485", "--around", "isr-shrink", "--broker", "2", "--partition", "orders-0"];
    lab.run(&of_2).code(0).err_has("isr-shrink 1 is at 20.000 s");
}

#[test]
fn too_few_and_none_are_told_apart() {
    let lab = Lab::new();
    let nth = ["kafka-4485", "--around", "isr-shrink", "--nth", "7"];
    refused(&lab, 2, &nth, "error: --nth 7: isr-shrink comes 6 times in the run; accepted: 1 to 6\n");
    let none = ["kafka-4485", "--criterion", "post-4485", "--around", "isr-shrink"];
    refused(&lab, 4, &none, "error: --around isr-shrink: there is none under post-4485 with seed 1 in 70s");
    refused(&lab, 4, &["healthy", "--around", "violation"], "--around violation: there is none under");
}

#[test]
fn options_that_do_not_go_together() {
    let lab = Lab::new();
    let both = ["kafka-4485", "--around", "isr-shrink", "--from", "1s"];
    refused(&lab, 2, &both, "cannot be used with");
    refused(&lab, 2, &["kafka-4485", "--nth", "2"], "--around <WHAT>");
    refused(&lab, 2, &["kafka-4485", "--window", "2s"], "--around <WHAT>");
    refused(&lab, 2, &["kafka-4485", "--around", "isr-shrink", "--nth", "0"], "0 is not in 1..");
    refused(&lab, 2, &["kafka-4485", "--around", "shrink"], "[possible values: isr-shrink, isr-expand, ");
}

#[test]
fn the_first_violation_is_found_in_a_run_that_has_one() {
    let lab = Lab::new();
    lab.write("kip-101.toml", KIP_101);
    let args = ["trace", "kip-101.toml", "--profile", "kafka-0.10.2", "--around", "violation"];
    lab.run(&args).code(1).out_has(" violation ").err_has("note: violation 1 is at 4.013 s");
}
