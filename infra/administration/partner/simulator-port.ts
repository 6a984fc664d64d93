/** The default port of `npm run partner`. The demo data contains a connection to this port. */
export const defaultSimulatorPort = 4100;
