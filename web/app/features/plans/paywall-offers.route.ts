export { loadPaywallData as loader } from './paywall.server';
