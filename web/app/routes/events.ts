export { recordEvents as action } from '../features/telemetry/events.server';
