export { loadPaywallData as loader } from '../features/billing/paywall/paywall.server';
