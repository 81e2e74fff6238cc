export { handlePaymentReturn as loader } from '../features/billing/checkout/return.server';
