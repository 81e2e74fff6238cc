export { securityContact as loader } from '../features/shell/security-contact.server';
