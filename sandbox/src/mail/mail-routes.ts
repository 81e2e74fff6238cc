import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Rejection, readInput, respondWithProblem } from '../core/problem.js';
import { DOCUMENT_PATH, documentPolicy, MAIL_PATH, mailPage, pagePolicy, Selection } from './mail-page.js';
import type { Mailbox, ReceivedMail } from './mailbox.js';

const ListQuery = z.object({
  // The form sends an empty field.
  to: z
    .email()
    .or(z.literal('').transform(() => undefined))
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  starting_after: z.string().optional(),
});

export class MailRoutes {
  constructor(
    private readonly mailbox: Mailbox,
    private readonly publicUrl: string,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await fastify.register(async (scope) => {
      scope.setErrorHandler(respondWithProblem);
      scope.addHook('onSend', async (_request, reply) => {
        reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
      });
      scope.get(MAIL_PATH, (request, reply) =>
        request.headers.accept?.includes('text/html') ? this.page(request, reply) : this.list(request),
      );
      scope.get(`${DOCUMENT_PATH}/:id`, (request, reply) => this.document(request, reply));
    });
  }

  private async list(request: FastifyRequest) {
    const { mails, hasMore } = await this.read(readInput(ListQuery, request.query));
    return { data: mails.map(present), has_more: hasMore };
  }

  private async page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = readInput(ListQuery, request.query);
    const selection = readInput(Selection, request.query);
    const { mails, hasMore } = await this.read(query);
    const selected = selection.message === undefined ? mails[0] : await this.mailbox.find(selection.message);
    return sendHtml(reply, mailPage({ mails, hasMore, selected: selected ?? null, query, selection }), pagePolicy());
  }

  private async document(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const mail = await this.mailbox.find((request.params as { id: string }).id);
    if (!mail?.html) throw new Rejection('request.not_found');
    return sendHtml(reply, mail.html, documentPolicy(this.publicUrl));
  }

  private async read({ to, limit, starting_after: after }: z.infer<typeof ListQuery>) {
    const page = await this.mailbox.list({ to, limit, after });
    if (!page) throw new Rejection('request.not_found');
    return page;
  }
}

const present = ({ id, to, subject, text, html, language, sentAt }: ReceivedMail) => ({
  id,
  to,
  subject,
  text,
  html,
  language,
  sent_at: sentAt.toISOString(),
});

const sendHtml = (reply: FastifyReply, page: string, policy: string): FastifyReply =>
  reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', policy).send(page);
