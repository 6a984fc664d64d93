import type { LocalCredentials } from '../../administration/credentials.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import type { ServiceParts } from './service-state.ts';

interface Home {
  credentials: LocalCredentials;
  /** The path of the data folder, or a text which explains that the data is in memory. */
  dataFolder: string;
}

/** The endpoints of the screen Home. */
export const homeEndpoints =
  (home: Home, parts: ServiceParts): AddEndpoints =>
  (app) => {
    app.get('/home', () => home);
    app.get('/state', async () => {
      // Imports this module at the first request. A static import would delay the start of the service.
      const { serviceState } = await import('./service-state.ts');
      return serviceState(parts, new Date());
    });
  };
