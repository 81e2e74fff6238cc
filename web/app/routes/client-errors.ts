export { recordClientError as action } from '../features/shell/client-errors.server';
