import type { FastifyInstance } from 'fastify';

/** Adds a group of the console's endpoints. Their paths are relative to `/_local/api`. */
export type AddEndpoints = (app: FastifyInstance) => void;
