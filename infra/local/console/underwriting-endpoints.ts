import type { AddEndpoints } from './add-endpoints.ts';
import type { ServiceParts } from './service-state.ts';

/** The endpoint of the screen Underwriting. It imports its module at the first request; see home.ts. */
export const underwritingEndpoints =
  ({ account }: Pick<ServiceParts, 'account'>): AddEndpoints =>
  (app) => {
    app.get('/underwriting', async () => {
      const { readRules } = await import('./read-rules.ts');
      return readRules(account, new Date());
    });
  };
