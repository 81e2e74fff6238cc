import { formatMoney, type Receipt, receiptRoutes } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { dateFormatterFor, type FormatDate } from '../../i18n/formatted-date';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { fetchMe } from '../../session/me.server';
import { asVisitor, startLogin } from '../../session/visitor.server';

/** Receipts of a visitor's charges, also of a guest's. */
export async function loadPurchases({ request, context }: LoaderFunctionArgs) {
  const exchange = { request, context };
  const user = await fetchMe(exchange);
  if (!user) throw await startLogin(exchange);
  const startingAfter = new URL(request.url).searchParams.get('after') ?? undefined;
  const [receipts, language, t] = await Promise.all([
    asVisitor(exchange, (token) =>
      callApi(receiptRoutes.listReceipts, { query: { startingAfter } }, { request, context, token }),
    ),
    languageOf(request),
    translatorFor(request, 'account'),
  ]);
  const { data: list, hasMore } = receipts.result;
  const formatDate = dateFormatterFor(language);
  return {
    purchases: list.map((receipt) => viewOf(receipt, language, formatDate)),
    olderAfter: (hasMore && list.at(-1)?.number) || null,
    email: user.email,
    title: t('purchases.title'),
  };
}

/** A charge with its receipt. */
export type PurchaseView = ReturnType<typeof viewOf>;

function viewOf(receipt: Receipt, language: string, formatDate: FormatDate) {
  const { number, chargedAt, item, amountCents, refundedCents, currency, provider } = receipt;
  return {
    number,
    item,
    provider,
    date: formatDate(chargedAt),
    amount: formatMoney(amountCents, currency, language),
    refunded: refundedCents > 0 ? formatMoney(refundedCents, currency, language) : null,
  };
}
