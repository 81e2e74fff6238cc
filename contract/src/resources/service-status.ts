import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** `degraded`: slower than usual; `outage`: not working, what is sent waits. */
export const SERVICE_STATES = ['operational', 'degraded', 'outage'] as const;
export type ServiceState = (typeof SERVICE_STATES)[number];

/** Parts of the service that customers tell apart. */
export const SERVICE_COMPONENTS = ['api', 'photos', 'videos'] as const;
export type ServiceComponentName = (typeof SERVICE_COMPONENTS)[number];

const State = z.enum(SERVICE_STATES);

/** A part of the service, as customers see it. */
export const ServiceComponent = z
  .object({
    name: z.enum(SERVICE_COMPONENTS).describe('The part of the service'),
    status: State.describe('Its present state'),
    waitingSeconds: z
      .int()
      .nonnegative()
      .nullable()
      .describe('Seconds that work waited lately before it began; null where nothing waits'),
    since: z.iso.datetime().nullable().describe('When it entered this state; null while unknown'),
  })
  .meta({ id: 'ServiceComponent' });
export type ServiceComponent = z.infer<typeof ServiceComponent>;

/** The state of the service, for customers: no hosts, versions or numbers of machines. */
export const ServiceStatus = z
  .object({
    status: State.describe('`outage` when every part has one, `operational` when every part is, else `degraded`'),
    components: z.array(ServiceComponent).describe('Every part of the service'),
  })
  .meta({ id: 'ServiceStatus' });
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** The state of the whole. */
export function overallState(states: readonly ServiceState[]): ServiceState {
  if (states.every((state) => state === 'operational')) return 'operational';
  return states.every((state) => state === 'outage') ? 'outage' : 'degraded';
}

/** The state of the service, for its page and for monitors. */
export const serviceStatusRoutes = {
  getServiceStatus: defineRoute({
    method: 'GET',
    path: '/status',
    tag: 'status',
    summary: 'Get the state of the service',
    description: 'Returns whether the parts of the service work, and how long its queues are.',
    allow: 'public',
    responses: { 200: ServiceStatus },
    errors: [],
    limit: 'reads',
  }),
} as const;
