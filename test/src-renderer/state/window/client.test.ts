import { describe, expect, it, vi } from 'vitest';
import { encode } from '../../../../src-main/contract/codec.ts';
import { isEngineRequest, type Message } from '../../../../src-main/contract/contract.ts';
import { createConnection, Refusal } from '../../../../src-renderer/state/window/client.ts';

/** The other end of a connection, played by the test. */
function createPeer() {
  const sent: Extract<Message, { type: 'request' }>[] = [];
  let receive: (message: unknown) => void = () => undefined;
  return {
    sent,
    endpoint: {
      send: (message: Message) => void (message.type === 'request' && sent.push(message)),
      listen: (listener: (message: unknown) => void) => void (receive = listener),
    },
    reply: (body: unknown, at = -1) => receive({ type: 'reply', id: sent.at(at)?.id, body }),
    pack: (frame: Uint8Array) => receive({ type: 'packed', id: sent.at(-1)?.id, frame }),
    refuse: (message: string) => receive({ type: 'refusal', id: sent.at(-1)?.id, message }),
    emit: (name: string, body: unknown) => receive({ type: 'event', name, body }),
  };
}

const everything = (): boolean => true;

describe('the client', () => {
  it('says when the host is there and when it has been lost', () => {
    const { client, attach, detach } = createConnection();
    const heard = vi.fn();
    client.on('host.connected', heard);
    attach(createPeer().endpoint, isEngineRequest);
    expect(heard).not.toHaveBeenCalled();
    attach(createPeer().endpoint, (name) => !isEngineRequest(name));
    detach();
    attach(createPeer().endpoint, everything);
    expect(heard.mock.calls).toEqual([true, false, true].map((connected) => [{ connected }]));
  });

  it('reads what the engine has packed, and checks it as any other reply', async () => {
    const { client, attach } = createConnection();
    const peer = createPeer();
    attach(peer.endpoint, everything);
    const asked = () => client.request('model.read', { document: {} });
    const good = asked();
    peer.pack(encode({ problems: [] }));
    expect(await good).toEqual({ problems: [] });
    for (const frame of [encode({ problems: 'none' }), Uint8Array.of(9, 0, 0, 0), new Uint8Array()]) {
      const bad = asked();
      peer.pack(frame);
      await expect(bad).rejects.toThrow('The reply to model.read came malformed.');
    }
  });

  it('holds requests until an endpoint is there that serves them', async () => {
    const { client, attach } = createConnection();
    const recent = client.request('files.recent', {});
    const devices = client.request('devices.list', {});
    const host = createPeer();
    const engine = createPeer();
    attach(host.endpoint, (name) => !isEngineRequest(name));
    expect(host.sent.map(({ name }) => name)).toEqual(['files.recent']);
    attach(engine.endpoint, isEngineRequest);
    expect(engine.sent.map(({ name }) => name)).toEqual(['devices.list']);
    host.reply([]);
    engine.reply([]);
    expect([await recent, await devices]).toEqual([[], []]);
  });

  it('gives each answer to its own question, in any order', async () => {
    const { client, attach } = createConnection();
    const peer = createPeer();
    attach(peer.endpoint, everything);
    const first = client.request('files.examples', {});
    const second = client.request('files.recent', {});
    peer.reply([{ path: '/a', name: 'a', openedAt: '' }]);
    peer.reply([], 0);
    expect([await first, await second]).toEqual([[], [{ path: '/a', name: 'a', openedAt: '' }]]);
  });

  it('refuses with the sentence that came, and what came malformed', async () => {
    const { client, attach } = createConnection();
    const peer = createPeer();
    attach(peer.endpoint, everything);
    const refused = client.request('files.recent', {});
    peer.refuse('It cannot be read.');
    await expect(refused).rejects.toThrow(new Refusal('It cannot be read.'));
    const malformed = client.request('files.recent', {});
    peer.reply([{ path: 5 }]);
    await expect(malformed).rejects.toThrow(Refusal);
  });

  it('passes names on that are on every object, and NaN', async () => {
    const { client, attach } = createConnection();
    const peer = createPeer();
    attach(peer.endpoint, everything);
    const model = { document: {}, location: { kind: 'unsaved' } } as const;
    const answer = client.request('model.evaluate', { ...model, outputs: ['constructor'], parameters: {} });
    const value = { element: 'real', shape: [1], values: new Float64Array([NaN]) };
    const values = Object.fromEntries([
      ['constructor', value],
      ['__proto__', value],
    ]) as Record<string, typeof value>;
    peer.reply({ values, faults: [], milliseconds: NaN });
    const got = await answer;
    expect(Object.keys(got.values)).toEqual(['constructor', '__proto__']);
    expect(got.milliseconds).toBeNaN();
  });

  it('refuses what an engine owed that was replaced, and asks the new one', async () => {
    const { client, attach } = createConnection();
    const [old, fresh] = [createPeer(), createPeer()];
    attach(old.endpoint, everything);
    const owed = client.request('devices.list', {});
    attach(fresh.endpoint, everything);
    await expect(owed).rejects.toThrow('started again');
    const again = client.request('devices.list', {});
    expect([old.sent.length, fresh.sent.length]).toEqual([1, 1]);
    fresh.reply([]);
    expect(await again).toEqual([]);
  });

  it('waits again once the connection is lost', async () => {
    const { client, attach, detach } = createConnection();
    const [lost, found] = [createPeer(), createPeer()];
    attach(lost.endpoint, everything);
    const owed = client.request('files.recent', {});
    detach();
    await expect(owed).rejects.toThrow('lost');
    const held = client.request('files.recent', {});
    attach(found.endpoint, everything);
    found.reply([]);
    expect(await held).toEqual([]);
  });

  it('ends a job whose report came malformed', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { client, attach } = createConnection();
    const peer = createPeer();
    attach(peer.endpoint, everything);
    const heard = vi.fn();
    client.on('job.refused', heard);
    peer.emit('job.done', { job: 'j1', result: { kind: 'study', report: { kind: 'comparison' } } });
    expect(heard.mock.calls).toMatchObject([[{ job: 'j1', problems: [{ severity: 'error' }] }]]);
    expect(error).toHaveBeenCalledOnce();
    error.mockRestore();
  });

  it('tells listeners of events that are of the contract, until they leave', () => {
    const { client, attach } = createConnection();
    const peer = createPeer();
    attach(peer.endpoint, everything);
    const heard: string[] = [];
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const leave = client.on('menu.action', ({ action }) => heard.push(action));
    peer.emit('menu.action', { action: 'file.open' });
    peer.emit('menu.action', { action: 5 });
    peer.emit('constructor', {});
    leave();
    peer.emit('menu.action', { action: 'file.save' });
    expect(heard).toEqual(['file.open']);
    expect(errors).toHaveBeenCalledOnce();
    errors.mockRestore();
  });
});
