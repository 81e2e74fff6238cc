export { redirectToPayment as loader } from '../features/billing/subscription/pay.server';
