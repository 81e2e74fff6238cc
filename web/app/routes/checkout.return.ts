export { takePaymentReturn as loader } from '../features/billing/checkout/return.server';
