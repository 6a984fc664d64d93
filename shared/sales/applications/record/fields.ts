import { boolean, integer, multilineText, sensitive, string, type TSchema } from '../../../schema.ts';

/**
 * The fields of the application form, in the order of the form. Deployed code uses only the field names. The schema
 * constructors are marked as free of side effects, so that the bundler removes the unused schemas.
 */

/** Free text with at most `length` characters. Drafts are checked only for type and length. */
const text = /* @__NO_SIDE_EFFECTS__ */ (example: string, length = 200) =>
  string({ maxLength: length, examples: [example] });
/** An explanation, which may have several lines. */
const explanation = /* @__NO_SIDE_EFFECTS__ */ (example: string) => multilineText({ examples: [example] });
const truth = /* @__NO_SIDE_EFFECTS__ */ () => boolean();

const count = /* @__NO_SIDE_EFFECTS__ */ (example: number, description?: string) =>
  integer({ minimum: 0, examples: [example], ...(description && { description }) });
const dollars = /* @__NO_SIDE_EFFECTS__ */ (example: number) => count(example, 'Dollars.');
const percent = /* @__NO_SIDE_EFFECTS__ */ (example: number) => count(example, 'Percent.');
const basisPoints = /* @__NO_SIDE_EFFECTS__ */ (example: number) =>
  count(example, 'Basis points: 275 is 2.75%.');
const cents = /* @__NO_SIDE_EFFECTS__ */ (example: number) => count(example, 'Cents.');
/** A value that is stored encrypted. Only callers that may read sensitive values receive the plain text. */
const secret = /* @__NO_SIDE_EFFECTS__ */ (example: string, length = 64) =>
  sensitive({
    maxLength: length,
    examples: [example],
    description: 'Sensitive: shown as REDACTED unless `reveal` is true and the caller has the permission.',
  });

/** The fields of every section except `businessOwners`, which is a list. */
export const sectionFields = {
  basics: {
    dbaName: text('Harbor Street Coffee'),
    dbaContact: text('Ada Byron'),
    dbaEmail: text('ada@example.com', 254),
    dbaPhone: text('+1 415 555 0134', 64),
    dbaStreet1: text('12 Harbor Street'),
    dbaStreet2: text('Suite 4'),
    dbaCity: text('San Francisco'),
    dbaState: text('CA', 64),
    dbaZip: text('94110', 16),
    dbaStruct: text('llc', 64),
    dbaTraded: text('no', 64),
    dbaTaxId: secret('12-3456789'),
    tinType: text('EIN', 16),
    primaryLanguage: text('en', 64),
    locationDifferent: truth(),
    locName: text('Harbor Street Coffee, Pier 9'),
    locContact: text('Grace Hopper'),
    locEmail: text('pier9@example.com', 254),
    locPhone: text('+1 415 555 0135', 64),
    locAddr1: text('9 Pier Road'),
    locAddr2: text('Stall 3'),
    locCity: text('San Francisco'),
    locState: text('CA', 64),
    locZip: text('94111', 16),
  },
  businessDetails: {
    mccNumber: count(5814),
    mccCategory: text('Restaurants'),
    naicsNumber: count(722515),
    sicNumber: count(5812),
    productsServicesSold: explanation('Coffee and pastries'),
    marketType: text('retail'),
    salesMethods: explanation('In store'),
    businessAdvertising: explanation('Local papers'),
    geographicSalesArea: explanation('California'),
    website: text('https://example.com', 2048),
    publicSalesPercent: percent(90),
    b2BSalesPercent: percent(10),
    seasonalMerchantBool: text('true', 16),
    seasonalMerchantExplain: explanation('Closed in January'),
    seasonalJanBool: truth(),
    seasonalFebBool: truth(),
    seasonalMarBool: truth(),
    seasonalAprBool: truth(),
    seasonalMayBool: truth(),
    seasonalJunBool: truth(),
    seasonalJulBool: truth(),
    seasonalAugBool: truth(),
    seasonalSepBool: truth(),
    seasonalOctBool: truth(),
    seasonalNovBool: truth(),
    seasonalDecBool: truth(),
  },
  businessHistory: {
    yearsInBiz: count(6),
    monthsInBiz: count(3),
    previousCcProcessor: text('Northwind Payments'),
    creditAcceptHistoryBool: text('true', 16),
    cardAcceptTerminationBool: truth(),
    cardAcceptTerminationExplain: explanation('A chargeback dispute in 2019'),
    bankruptcyBool: truth(),
    explainBankruptcy: explanation('Reorganised in 2012'),
    chargebacksLastYear: count(2),
    chargebackTotalAmount: dollars(180),
  },
  businessBanking: {
    bankName: text('First Harbor Bank'),
    bankContact: text('Lin Chen'),
    bankRouting: text('011000015', 16),
    bankAccount: secret('000123456789'),
  },
  orderProcessing: {
    cardAcceptanceMethods: explanation('Terminal'),
    cardSwipePercent: percent(80),
    cardKeyedPercent: percent(10),
    cardMoToPercent: percent(0),
    cardInternetPercent: percent(10),
    cardInfoEnteredBy: text('Staff'),
    cardDescriptor: text('HARBOR ST COFFEE'),
    customerServicePhone: text('+1 415 555 0136', 64),
    customerServiceEmail: text('help@example.com', 254),
    ordersProcessedBy: text('Merchant'),
    whoShipsProduct: text('Merchant'),
    shippedVia: text('Post'),
    shippingServices: text('Ground'),
    afterAuthShipDelay: text('1 day'),
    deliveryReceiptBool: truth(),
    refundPolicy: explanation('Refund within 30 days'),
  },
  scheduleABasics: {
    avgSaleAmount: dollars(18),
    maxSaleAmount: dollars(400),
    highMonthlyVolume: dollars(25_000),
    avgCreditCardSales: dollars(18_000),
    avgAmexCardSales: dollars(2_000),
  },
  scheduleADiscountRates: {
    billType: text('tiered', 64),
    flatRate: basisPoints(275),
    interchangeBool: truth(),
    assessmentsBool: truth(),
    optBlueAcceptBool: truth(),
    pinDebitNetworkFees: truth(),
    combinedQualRate: basisPoints(165),
    combinedMidQualRate: basisPoints(215),
    combinedNonQualRate: basisPoints(285),
    costPlusRate: basisPoints(30),
    costPlusAobRate: basisPoints(40),
    sepCardQualRate: basisPoints(170),
    sepCardMidQualRate: basisPoints(220),
    sepCardNonQualRate: basisPoints(290),
    sepDebitQualRate: basisPoints(110),
    sepDebitMidQualRate: basisPoints(150),
    sepDebitNonQualRate: basisPoints(190),
    sepAobQualRate: basisPoints(250),
    sepAobMidQualRate: basisPoints(300),
    sepAobNonQualRate: basisPoints(350),
  },
  scheduleAPerItemFees: {
    authFeeFlat: cents(10),
    authFeeIntChg: cents(8),
    authFeeTiered: cents(12),
    creditTranFee: cents(10),
    debitTranFee: cents(15),
    midQualItem: cents(10),
    nonQualItem: cents(10),
    batchFee: cents(20),
    addressVerificationFee: cents(5),
    wirelessTranFee: cents(7),
    teAuthFee: cents(9),
    chargebackFee: cents(2500),
    retreivalFee: cents(1500),
    returnFee: cents(10),
  },
} as const satisfies Record<string, Record<string, TSchema>>;

/** The fields of an owner, without `id` and `uniqueId`. */
export const ownerFields = {
  name: text('Ada Byron'),
  socialSecurityNumber: secret('123-45-6789'),
  driversLicenseNumber: secret('D1234567'),
  dateOfBirth: secret('1985-12-10', 32),
};

/** The name of a section that is a single object (all sections except `businessOwners`). */
export type Section = keyof typeof sectionFields;
/** The name of any section of the form, as in `validation.sections`. */
export type SectionName = Section | 'businessOwners';

/** The names of all sections, in the order of the form. */
export const sectionNames: readonly SectionName[] = [
  'basics',
  'businessDetails',
  'businessHistory',
  'businessBanking',
  'businessOwners',
  'orderProcessing',
  'scheduleABasics',
  'scheduleADiscountRates',
  'scheduleAPerItemFees',
];

export const objectSections = sectionNames.filter((name) => name !== 'businessOwners');

/** The fields that are stored encrypted, by section. */
export const sensitiveFormFields = {
  basics: ['dbaTaxId'],
  businessBanking: ['bankAccount'],
  businessOwners: ['socialSecurityNumber', 'driversLicenseNumber', 'dateOfBirth'],
} as const;

/** The pricing sections, which an account may reserve for its staff. */
export const pricingSections = ['scheduleADiscountRates', 'scheduleAPerItemFees'] as const;
