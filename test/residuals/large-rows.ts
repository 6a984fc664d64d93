/** The names of the fees of a large file. */
export const fees = Array.from({ length: 60 }, (_, n) => `Fee ${n + 1}`);

/** Returns a number below 1,000 that looks random. */
const someAmount = (n: number): number => ((n * 2_654_435_761) % 1_000_003_337) / 1e6;

/** Returns the header and the rows of a file with 64 amounts for each MID. */
export const largeRows = (count: number, decimals = 6): (string | number)[][] => [
  ['MID', 'DBA', 'Volume', 'Income', 'Expense', 'Net', ...fees],
  ...Array.from({ length: count }, (_, n) => [
    ...[`${4_445_000_000_000 + n}`, `Merchant ${n}`],
    ...Array.from({ length: 64 }, (__, fee) => Number(someAmount(n * 64 + fee).toFixed(decimals))),
  ]),
];
