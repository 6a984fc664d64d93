import type { ApplicationInput } from '../../shared/sales/applications/record/schema.ts';

/** A recognisable value of each of the five kinds of sensitive data. */
export const canaries = {
  taxId: '98-7612345',
  account: '771900246813',
  ssn: '541-38-9021',
  license: 'W48219077',
  birthDate: '1979-11-23',
} as const;

/** A request body with fields in every section, including the five sensitive kinds. */
export const filledApplication = {
  repcode: 'R-17',
  system: { appFlags: 'vip', applicationLog: 'Called on Monday.' },
  basics: {
    dbaName: 'Harbor Street Coffee',
    dbaContact: 'Ada Byron',
    dbaEmail: 'ada@example.com',
    dbaPhone: '+1 415 555 0134',
    dbaCity: 'San Francisco',
    dbaState: 'CA',
    dbaTaxId: canaries.taxId,
    tinType: 'EIN',
  },
  businessDetails: { mccNumber: 5814, website: 'https://example.com' },
  businessHistory: { yearsInBiz: 6 },
  businessBanking: { bankName: 'First Harbor', bankRouting: '011000015', bankAccount: canaries.account },
  businessOwners: [
    {
      uniqueId: 'ada',
      name: 'Ada Byron',
      socialSecurityNumber: canaries.ssn,
      driversLicenseNumber: canaries.license,
      dateOfBirth: canaries.birthDate,
    },
  ],
  orderProcessing: { cardSwipePercent: 80, refundPolicy: 'Refund within 30 days' },
  scheduleABasics: { avgSaleAmount: 18, highMonthlyVolume: 25_000 },
  scheduleADiscountRates: { billType: 'tiered', flatRate: 275 },
  scheduleAPerItemFees: { batchFee: 20 },
} satisfies ApplicationInput;

/** Like `filledApplication`, with all fields that a complete application needs. Its documents are missing. */
export const completeApplication = {
  ...filledApplication,
  basics: { ...filledApplication.basics, dbaStreet1: '12 Harbor Street', dbaZip: '94110', dbaStruct: 'LLC' },
  businessDetails: { ...filledApplication.businessDetails, productsServicesSold: 'Coffee' },
  scheduleABasics: { ...filledApplication.scheduleABasics, maxSaleAmount: 400 },
} satisfies ApplicationInput;

/** The sections that the response and the input of an application have in common. */
export const sectionsOf = ({
  basics,
  businessDetails,
  businessHistory,
  businessBanking,
  businessOwners,
  orderProcessing,
  scheduleABasics,
  scheduleADiscountRates,
  scheduleAPerItemFees,
}: ApplicationInput): ApplicationInput => ({
  basics,
  businessDetails,
  businessHistory,
  businessBanking,
  businessOwners,
  orderProcessing,
  scheduleABasics,
  scheduleADiscountRates,
  scheduleAPerItemFees,
});
