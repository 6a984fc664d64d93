import { writeCostPage } from './write-cost-page.ts';

/** `npm run costs:page`. */
await writeCostPage();
