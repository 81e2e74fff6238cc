export { leadToPayment as loader } from '../features/billing/subscription/pay.server';
