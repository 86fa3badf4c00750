// SPDX-License-Identifier: GPL-2.0
// Rust functions with generics, traits and a panic that is caught.
use std::panic;

pub mod shop {
    pub trait Priced {
        fn price(&self) -> u64;
    }
    pub struct Basket<T>(pub Vec<T>);
    impl Priced for Basket<u64> {
        #[inline(never)]
        fn price(&self) -> u64 {
            self.0.iter().sum()
        }
    }
    #[inline(never)]
    pub fn total<T: Priced>(all: &[T]) -> u64 {
        all.iter().map(|p| p.price()).sum()
    }
    #[inline(never)]
    pub fn check(n: u64) -> u64 {
        if n == 7 {
            panic!("seven");
        }
        n
    }
}

fn main() {
    let baskets = [shop::Basket(vec![1, 2]), shop::Basket(vec![3])];
    println!("{}", shop::total(&baskets));
    println!("{}", panic::catch_unwind(|| shop::check(7)).is_err());
    if std::env::args().count() > 1 {
        let _ = std::io::stdin().read_line(&mut String::new());
    }
}
