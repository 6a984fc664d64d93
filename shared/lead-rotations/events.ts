export {};

declare module '../events/data.ts' {
  interface NounEvents {
    lead_rotation: {
      lead_rotation_created: Changed;
      lead_rotation_deleted: Nothing;
      lead_rotation_updated: Changed;
    };
  }
}
