export { issueTicket as action } from '../features/upload/script-uploads.server';
