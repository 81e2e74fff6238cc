export { recordEvents as action } from '../features/shell/telemetry/events.server';
