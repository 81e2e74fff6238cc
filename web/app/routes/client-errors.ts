export { recordClientError as action } from '../features/shell/telemetry/client-errors.server';
