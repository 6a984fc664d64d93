/** Invented data of one record. The same seed always gives the same data. */
export interface Fictional {
  /** Returns a whole number from `least` to `most`, both included. */
  number(least: number, most: number): number;
  pick<const C extends readonly [unknown, ...unknown[]]>(choices: C): C[number];
  /** Returns true with a probability of `share`, from 0 to 1. */
  chance(share: number): boolean;
  person(): Person;
  company(): Company;
}

export interface Person {
  firstName: string;
  lastName: string;
  /** At example.com. */
  email: string;
  /** In the range 555-0100 to 555-0199, which is reserved for fiction. */
  phone: string;
}

export interface Company {
  name: string;
  trade: string;
  mcc: number;
  street: string;
  city: string;
  state: string;
  zip: string;
}

const firstNames = [
  'Ava',
  'Bruno',
  'Carmen',
  'Dario',
  'Elif',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kofi',
  'Lena',
  'Mina',
  'Nadia',
  'Omar',
  'Priya',
  'Quentin',
  'Rosa',
  'Samir',
  'Tove',
] as const;
const lastNames = [
  'Examplova',
  'Fabricated',
  'Fictionby',
  'Imaginario',
  'Inventsson',
  'Madeup',
  'Makebelieve',
  'Mockingham',
  'Notareal',
  'Placeholder',
  'Pretendsen',
  'Sampleton',
  'Specimen',
  'Testerman',
  'Unrealson',
] as const;
const companyNames = [
  'Dragon Road',
  'Floating Island',
  'Hidden Teapot',
  'Imaginary Harbor',
  'Invisible Bridge',
  'Lost Unicorn',
  'Made-Up Meadow',
  'Moon Cheese',
  'Paper Castle',
  'Phantom Lantern',
  'Sleeping Giant',
  'Talking Parrot',
  'Upside-Down Oak',
  'Wandering Lighthouse',
] as const;
const trades = [
  ['Bakery', 'Bread and cakes', 5462],
  ['Bicycles', 'Bicycles and repairs', 5940],
  ['Books', 'New and used books', 5942],
  ['Coffee', 'Coffee and pastries', 5814],
  ['Dental Practice', 'Dental treatment', 8021],
  ['Flowers', 'Flowers and plants', 5992],
  ['Garage', 'Car repairs', 7538],
  ['Hardware', 'Tools and paint', 5251],
  ['Pharmacy', 'Medicine and cosmetics', 5912],
  ['Toys', 'Toys and games', 5945],
] as const;
const places = [
  ['San Francisco', 'CA', '94110'],
  ['Denver', 'CO', '80202'],
  ['Chicago', 'IL', '60607'],
  ['Boston', 'MA', '02118'],
  ['Portland', 'OR', '97205'],
  ['Austin', 'TX', '78704'],
] as const;
const streets = ['Nowhere Street', 'Fable Avenue', 'Example Road', 'Fiction Lane', 'Sample Square'] as const;

/** Returns an address with a name, which does not have to be unique, and a unique text. */
export const emailOf = (
  { firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>,
  unique: string,
): string => `${firstName}.${lastName}.${unique}@example.com`.toLowerCase();

/** Returns a generator of invented data. Names are recognizable as fiction. */
export function fictional(seed: string): Fictional {
  const random = seededRandom(seed);
  const number = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const pick = <const C extends readonly [unknown, ...unknown[]]>(choices: C): C[number] =>
    choices[number(0, choices.length - 1)] ?? choices[0];
  return {
    number,
    pick,
    chance: (share) => random() < share,
    person() {
      const [firstName, lastName] = [pick(firstNames), pick(lastNames)];
      const email = emailOf({ firstName, lastName }, String(number(100, 999)));
      return {
        firstName,
        lastName,
        email,
        phone: `+1 ${pick(['303', '312', '415'])} 555 01${number(10, 99)}`,
      };
    },
    company() {
      const [kind, trade, mcc] = pick(trades);
      const [city, state, zip] = pick(places);
      return {
        name: `${pick(companyNames)} ${kind}`,
        trade,
        mcc,
        street: `${number(1, 199)} ${pick(streets)}`,
        city,
        state,
        zip,
      };
    },
  };
}

/** The application form of a company with one owner. It has all required fields. */
export function applicationForm(of: Fictional, company: Company, owner: Person) {
  const digits = (count: number) => Array.from({ length: count }, () => of.number(0, 9)).join('');
  const averageSale = of.number(8, 400);
  return {
    basics: {
      dbaName: company.name,
      dbaContact: `${owner.firstName} ${owner.lastName}`,
      dbaEmail: owner.email,
      dbaPhone: owner.phone,
      dbaStreet1: company.street,
      dbaCity: company.city,
      dbaState: company.state,
      dbaZip: company.zip,
      dbaStruct: 'llc',
      tinType: 'EIN',
      dbaTaxId: `12-3${digits(6)}`,
    },
    businessDetails: { mccNumber: company.mcc, productsServicesSold: company.trade },
    businessHistory: { yearsInBiz: of.number(1, 30) },
    businessBanking: {
      bankName: 'Bank of Nowhere',
      bankRouting: '011000015',
      bankAccount: `0001${digits(8)}`,
    },
    businessOwners: [
      {
        uniqueId: 'owner',
        name: `${owner.firstName} ${owner.lastName}`,
        socialSecurityNumber: `123-45-${of.number(1000, 9999)}`,
        driversLicenseNumber: `D${digits(7)}`,
        dateOfBirth: `19${of.number(50, 99)}-0${of.number(1, 9)}-1${of.number(0, 9)}`,
      },
    ],
    orderProcessing: { cardSwipePercent: 90, cardKeyedPercent: 10 },
    scheduleABasics: {
      avgSaleAmount: averageSale,
      maxSaleAmount: averageSale * 5,
      highMonthlyVolume: of.number(5, 49) * 1000,
    },
    scheduleADiscountRates: { billType: 'tiered', flatRate: of.number(180, 320) },
  };
}

/** The generator mulberry32, seeded with an FNV-1a hash of the text. Returns numbers from 0 to 1 (excluded). */
function seededRandom(seed: string): () => number {
  let state = 2_166_136_261;
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
