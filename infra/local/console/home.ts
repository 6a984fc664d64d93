import type { LocalCredentials } from '../credentials.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import type { ServiceParts } from './service-state.ts';

interface Home {
  credentials: LocalCredentials;
  /** The path of the data folder, or a text if the data is in memory. */
  dataFolder: string;
}

/** The endpoints of the screen Home. */
export const homeEndpoints =
  (home: Home, parts: ServiceParts): AddEndpoints =>
  (app) => {
    app.get('/home', () => home);
    app.get('/state', async () => {
      // Imported here, because the import would take a part of the time of the service's start.
      const { serviceState } = await import('./service-state.ts');
      return serviceState(parts, new Date());
    });
  };
