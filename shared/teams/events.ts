export {};

declare module '../events/data.ts' {
  interface NounEvents {
    team: {
      team_activated: Nothing;
      team_created: Changed;
      team_deactivated: Nothing;
      team_deleted: Nothing;
      team_updated: Changed;
    };
  }
}
