//! scratch
use isrlab_models::checker::*;
use isrlab_models::replication::*;
fn main() {
    let a: Vec<u32> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let m = Replication::<u64>::new(Variant::Kip320, Constants::new(3, 2, 2, 2), false).unwrap();
    let mut best = f64::MAX;
    let cpu = || {
        let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        s.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
    };
    for _ in 0..a[0] {
        let t = std::time::Instant::now();
        let c = cpu();
        let r = check(&m, &Options { threads: a[1] as usize, ..Options::default() }, &mut |_| ());
        assert_eq!(r.distinct_states, 737794);
        let d = if a[1] == 1 { cpu() - c } else { t.elapsed().as_secs_f64() };
        best = best.min(d);
    }
    println!("best {best:.4}");
}
