use isrlab_models::checker::*; use isrlab_models::mirror_lag::*; use isrlab_models::share_lag::*;
fn main(){ 
 let a:Vec<u32>=std::env::args().skip(1).map(|x|x.parse().unwrap()).collect();
 if a.len()<7 { for rule in MirrorRule::ALL { 
  let c=MirrorConstants{offsets:a[0],gaps:a[1],restarts:a[2],recreations:a[3],any_order:a[4]==1};
  let t=std::time::Instant::now();
  let r=check(&MirrorLag::new(rule,c).unwrap(),&Options::default(),&mut |_|());
  println!("{} states {} depth {:?} {:?}",r.model,r.distinct_states,r.depth,t.elapsed());
  for cl in &r.claims{ println!("   {:26} {:12} premise {} cx {:?}",cl.name,cl.verdict.name(),cl.premise_states,cl.counterexample_states()); }
  for u in r.unexercised(){println!("   UNEX {u}");}
  if a.len()>5 { for cl in &r.claims { if let Some(t)=&cl.counterexample { println!("{}",isrlab_models::trace::text::render(t,Default::default())); } } }
 } } else { for v in ShareVariant::ALL { let c=ShareConstants{records:a[0],failovers:a[1],failures:a[2],lost_answers:a[3]==1,log_moves:a[4],alterations:a[5]};
  let t=std::time::Instant::now();
  let mut o=Options::default(); o.limits.max_states=Some(20_000_000);
  let r=check(&ShareLag::new(v,c).unwrap(),&o,&mut |_|());
  println!("{} states {} depth {:?} {:?}",r.model,r.distinct_states,r.depth,t.elapsed());
  for cl in &r.claims{ println!("   {:26} {:12} premise {} cx {:?}",cl.name,cl.verdict.name(),cl.premise_states,cl.counterexample_states()); }
  for u in r.unexercised(){println!("   UNEX {u}");}
  if a.len()>7 { for cl in &r.claims { if let Some(t)=&cl.counterexample { println!("{}",isrlab_models::trace::text::render(t,Default::default())); } } }
 }}}
