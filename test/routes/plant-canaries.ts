import createApplication from '../../functions/applications/create-application.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { canaries, filledApplication, sectionsOf } from '../harness/filled-application.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import type { Tenant } from '../harness/tenant.ts';

/** The sensitive values of the applications and merchants that `planting` creates. */
export const sensitiveCanaries = [...Object.values(canaries), ...Object.values(merchantCanaries)];

/** Adds canaries to a body that creates an application or merchant. */
export const planted = (endpoint: Endpoint, sent: object): object => {
  if (endpoint === createApplication) return { ...sent, body: filledApplication };
  if (endpoint === saveExternalApplication) {
    const { externalId } = (sent as { body: { externalId?: string } }).body;
    return { ...sent, body: { externalId, ...sectionsOf(filledApplication) } };
  }
  return endpoint === createMerchant ? { ...sent, body: filledMerchant } : sent;
};

/** Returns the tenant with an administrator whose new applications and merchants contain every canary. */
export const planting = (owner: Tenant): Tenant => ({
  ...owner,
  admin: {
    ...owner.admin,
    ok: (endpoint, sent = {}) => owner.admin.ok(endpoint, planted(endpoint, sent)),
  },
});
