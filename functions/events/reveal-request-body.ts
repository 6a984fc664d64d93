import { revealEventBody } from '../../shared/body-capture/reveal-event-body.ts';

export default revealEventBody('request');
