use isrlab_models::checker::*;
use isrlab_models::replication::*;
use std::time::Instant;
fn main() {
    let args: Vec<u32> = std::env::args().skip(3).map(|a| a.parse().unwrap()).collect();
    let engine = if std::env::args().nth(1).unwrap() == "fast" { Engine::Fast } else { Engine::Stateright };
    let which = std::env::args().nth(2).unwrap();
    let c = Constants::new(args[0], args[1], args[2], args[3]);
    let history = args.get(4) == Some(&1);
    let threads = *args.get(5).unwrap_or(&1) as usize;
    let symmetry = args.get(6) == Some(&1);
    for v in Variant::ALL.into_iter().filter(|v| which == "all" || v.name() == which) {
        let m = Replication::<u64>::new(v, c, history);
        let o = Options { engine, threads, symmetry, counterexamples: true, ..Options::default() };
        let t = Instant::now();
        let mut mem = None;
        let r = match &m {
            Ok(m) => check(m, &o, &mut |p| mem = p.memory),
            Err(_) => check(&Replication::<u128>::new(v, c, history).unwrap(), &o, &mut |p| mem = p.memory),
        };
        println!(
            "{:18} {} {} bits={} t={:.3}s  {} · {:?} trans {} mem {:?}",
            v.name(),
            c,
            history,
            m.map_or(0, |m| m.bits()),
            t.elapsed().as_secs_f64(),
            r.distinct_states,
            r.depth,
            r.transitions,
            mem
        );
        for c in &r.claims {
            println!(
                "    {} {:?} viol {} prem {} cex {:?}",
                c.name,
                c.verdict,
                c.violating_states,
                c.premise_states,
                c.counterexample_states()
            );
            if std::env::var("TRACE").is_ok() {
                if let Some(t) = &c.counterexample {
                    println!("{}", isrlab_models::trace::text::render(t, Default::default()));
                }
            }
        }
        println!("    {:?}", r.unexercised());
    }
}
