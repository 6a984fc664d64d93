const clients: { destroy(): void }[] = [];

/** Registers an AWS client that is closed when the command ends. Returns the client. */
export function closeAtEnd<C extends { destroy(): void }>(client: C): C {
  clients.push(client);
  return client;
}

export function closeClients(): void {
  for (const client of clients.splice(0)) client.destroy();
}
