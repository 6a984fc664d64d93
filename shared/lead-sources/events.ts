export {};

declare module '../events/data.ts' {
  interface NounEvents {
    lead_source: {
      lead_source_activated: Nothing;
      lead_source_created: Changed;
      lead_source_deactivated: Nothing;
      lead_source_deleted: Nothing;
      lead_source_updated: Changed;
    };
  }
}
