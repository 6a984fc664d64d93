import { getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';

// The build inlines the value of this module, so bundles contain neither the library nor its data.

/** How telephone numbers of a country are dialed. */
interface Dialing {
  /** The country code, such as 49. */
  code: string;
  /** The digits before a number within the country, such as 0. They are not dialed from other countries. */
  trunk?: string;
  /** The possible numbers of digits without country code and trunk digits. */
  lengths: readonly number[];
}

const dialingOf = (country: ReturnType<typeof getCountries>[number]): Dialing => {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // The types of the library omit this method.
  const numberingPlan: (Metadata['numberingPlan'] & { nationalPrefix?(): string }) | undefined =
    metadata.numberingPlan;
  const trunk = numberingPlan?.nationalPrefix?.();
  return {
    code: getCountryCallingCode(country),
    ...(trunk && { trunk }),
    lengths: numberingPlan?.possibleLengths() ?? [],
  };
};

/** How numbers are dialed, by country (ISO 3166-1). */
export const dialing: Readonly<Record<string, Dialing>> = Object.fromEntries(
  getCountries().map((country) => [country, dialingOf(country)]),
);
