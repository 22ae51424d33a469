import * as acp from '@agentclientprotocol/sdk/unstable'

/** Resolves when the agent answers. Any answer will do: agents answer that they do not know the method. */
export async function ping({ agent }: acp.ClientConnection): Promise<void> {
  try {
    await agent.request('_bosun/ping', {})
  } catch (error) {
    if (!(error instanceof acp.RequestError)) throw error
  }
}
