export { recordClientError as action } from '../features/telemetry/client-errors.server';
